//! Keys from PEM and PKCS#12 files, and what takes over at a time.

use jiff::{SignedDuration, Timestamp};
use quoin_xmldsig::keys::PublicKey;

use std::path::PathBuf;

use quoin_access_point::config::{ConfigSecret, KeyPlace, NextKey};
use quoin_access_point::identity::*;
use quoin_lab::lab::pki::{LabPki, LeafCertificate, LeafRole, LeafValidity};

/// A folder that goes with its test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("quoin-keys-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    fn pem(&self, name: &str, leaf: &LeafCertificate) -> KeyPlace {
        let certificate = self.write(&format!("{name}.pem"), &leaf.certificate_pem);
        KeyPlace::files(certificate, self.write(&format!("{name}.key"), &leaf.key_pem))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn pki() -> LabPki {
    LabPki::generate("http://127.0.0.1:1", Timestamp::now()).unwrap()
}

fn leaf(pki: &LabPki) -> LeafCertificate {
    pki.leaf(LeafRole::AccessPoint, "POP000001", LeafValidity::Current).unwrap()
}

/// Signs and decrypts, and holds the result against the certificate.
fn works(credentials: &Credentials) {
    let public = PublicKey::from_spki(credentials.certificate.spki()).unwrap();
    let signature = credentials.key.sign_rsa_sha256(b"message").unwrap();
    public.verify_rsa_sha256(b"message", &signature).unwrap();
    let sealed = public.encrypt_oaep(b"0123456789abcdef").unwrap();
    assert_eq!(credentials.decrypter.decrypt_oaep(&sealed).unwrap(), b"0123456789abcdef");
}

fn pkcs12_place(path: impl Into<PathBuf>, password: &str) -> KeyPlace {
    let pkcs12_password = Some(ConfigSecret::new(password));
    KeyPlace { pkcs12_file: Some(path.into()), pkcs12_password, ..KeyPlace::default() }
}

#[test]
fn a_key_that_is_not_the_certificates_is_refused() {
    let (pki, folder) = (pki(), Folder::new("pem"));
    let (one, two) = (folder.pem("one", &leaf(&pki)), folder.pem("two", &leaf(&pki)));
    works(&Credentials::load(&one).unwrap());
    let mixed = KeyPlace { key_file: two.key_file, ..one };
    assert!(matches!(Credentials::load(&mixed), Err(IdentityError::Mismatch { .. })));
}

/// Made with `openssl pkcs12 -export` of OpenSSL 3, password "quoin", of a lab certificate.
const SAMPLE: &[u8] = include_bytes!("../../../access-point/tests/data/sample.p12");

#[test]
fn a_pkcs12_file_is_opened_with_its_password() {
    let folder = Folder::new("p12");
    let path = folder.write("sample.p12", SAMPLE);
    let credentials = Credentials::load(&pkcs12_place(&path, "quoin")).unwrap();
    assert_eq!(credentials.certificate.seat().unwrap().to_string(), "POP000001");
    works(&credentials);
    let wrong = Credentials::load(&pkcs12_place(&path, "quoin!"));
    let source = Pkcs12Error::Password;
    assert!(matches!(wrong, Err(IdentityError::Pkcs12 { source: s, .. }) if s == source));
}

/// Files as other settings of OpenSSL write them.
#[test]
fn pkcs12_files_of_openssl_are_read() {
    let (pki, folder) = (pki(), Folder::new("openssl"));
    let place = folder.pem("one", &leaf(&pki));
    let (certificate, key) = (place.certificate_file.unwrap(), place.key_file.unwrap());
    let chain = folder.write("chain.pem", pki.ap.pem());
    let forms: [(&str, &[&str], bool); 5] = [
        ("default", &[], true),
        ("sha512", &["-macalg", "sha512"], true),
        ("aes128", &["-keypbe", "AES-128-CBC", "-certpbe", "AES-128-CBC"], true),
        ("des3", &["-keypbe", "PBE-SHA1-3DES", "-certpbe", "PBE-SHA1-3DES"], false),
        ("nomac", &["-nomac"], false),
    ];
    for (name, options, good) in forms {
        let out = folder.0.join(format!("{name}.p12"));
        let mut command = std::process::Command::new("openssl");
        command.args(["pkcs12", "-export", "-passout", "pass:geheim ü", "-in"]).arg(&certificate);
        command.arg("-inkey").arg(&key).arg("-certfile").arg(&chain).arg("-out").arg(&out);
        match command.args(options).output() {
            Ok(output) if output.status.success() => {}
            Ok(output) => panic!("{name}: {}", String::from_utf8_lossy(&output.stderr)),
            Err(_) => {
                quoin_testing::skipped("openssl");
                return;
            }
        }
        match (Credentials::load(&pkcs12_place(&out, "geheim ü")), good) {
            (Ok(credentials), true) => works(&credentials),
            (Err(error), false) => assert!(error.to_string().contains("openssl"), "{error}"),
            (Ok(_), false) => panic!("{name} was read"),
            (Err(error), true) => panic!("{name}: {error}"),
        }
    }
}

#[test]
fn the_next_certificate_takes_over_at_its_time_and_decrypts_before() {
    let (pki, folder) = (pki(), Folder::new("next"));
    let (old, new) = (leaf(&pki), leaf(&pki));
    let from = Timestamp::now() + SignedDuration::from_hours(24);
    let next = NextKey { from: Some(from), key: folder.pem("new", &new) };
    let own = access_point_over_time(&folder.pem("old", &old), Some(&next), &[]).unwrap();
    let before = own.at(from - SignedDuration::from_secs(1));
    let after = own.at(from);
    assert_ne!(before.certificate, after.certificate);
    for identity in [before, after] {
        let mut known: Vec<&[u8]> =
            identity.decryption.iter().map(|key| key.certificate.as_slice()).collect();
        assert_eq!(known[0], identity.certificate, "the own one comes first");
        known.sort_unstable();
        known.dedup();
        assert_eq!(known.len(), 2, "both decrypt");
    }
}
