//! The files that a configuration names.

use std::path::{Path, PathBuf};

use super::{Config, KeyPlace};

/// A file, and the setting that names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedFile<'c> {
    /// The setting, as in `listen.api.key_file`.
    pub setting: String,
    /// The file.
    pub path: &'c Path,
}

impl Config {
    /// Every file that has to be there, with its setting: what a setting begins with is the part
    /// that needs it.
    pub fn files(&self) -> Vec<NamedFile<'_>> {
        let mut all = Vec::new();
        for (name, door) in self.listen.doors() {
            all.extend(one(format!("listen.{name}.certificate_file"), &door.certificate_file));
            all.extend(one(format!("listen.{name}.key_file"), &door.key_file));
        }
        all.extend(one("api.token_key_file".to_owned(), &self.api.token_key_file));
        let places = [
            (&self.access_point.next, &self.access_point.old_keys[..], "access_point"),
            (&self.smp.next, &[], "smp"),
        ];
        for (next, old, at) in places {
            if let Some(next) = next {
                place(&mut all, &format!("{at}.next.key"), &next.key);
            }
            old.iter().for_each(|key| place(&mut all, &format!("{at}.old_keys"), key));
        }
        let (ap, smp) = (&self.access_point, &self.smp);
        for (at, files, token) in [
            ("access_point", [&ap.certificate_file, &ap.key_file, &ap.pkcs12_file], &ap.token),
            ("smp", [&smp.certificate_file, &smp.key_file, &smp.pkcs12_file], &smp.token),
        ] {
            for (name, file) in ["certificate_file", "key_file", "pkcs12_file"].iter().zip(files) {
                all.extend(one(format!("{at}.{name}"), file));
            }
            let module = token.as_ref().map(|token| token.module.as_path());
            all.extend(module.map(|path| NamedFile { setting: format!("{at}.token"), path }));
        }
        self.named_elsewhere(&mut all);
        all
    }

    /// Certificates of others, and keys of what is no certificate of ours.
    fn named_elsewhere<'c>(&'c self, all: &mut Vec<NamedFile<'c>>) {
        let trust = &self.trust;
        for (name, files) in [
            ("trust.ap_anchors", &trust.ap_anchors),
            ("trust.ap_intermediates", &trust.ap_intermediates),
            ("trust.smp_anchors", &trust.smp_anchors),
            ("trust.smp_intermediates", &trust.smp_intermediates),
            ("tls.extra_ca_files", &self.tls.extra_ca_files),
            ("ksef.upo_anchors", &self.ksef.upo_anchors),
        ] {
            all.extend(files.iter().map(|path| NamedFile { setting: name.to_owned(), path }));
        }
        for generation in &trust.authorities {
            let at = format!("trust.authorities {:?}", generation.name);
            let files = [&generation.root, &generation.access_point, &generation.smp];
            all.extend(files.map(|path| NamedFile { setting: at.clone(), path }));
        }
        for (name, endpoint) in &self.endpoints {
            let setting = format!("endpoints.{name}.certificate_file");
            all.extend(one(setting, &endpoint.certificate_file));
        }
        for dkim in &self.mail.dkim {
            all.extend(one("mail.dkim".to_owned(), &dkim.key_file));
        }
    }
}

fn one(setting: String, file: &Option<PathBuf>) -> Option<NamedFile<'_>> {
    file.as_deref().map(|path| NamedFile { setting, path })
}

fn place<'c>(all: &mut Vec<NamedFile<'c>>, at: &str, key: &'c KeyPlace) {
    for (name, file) in [
        ("certificate_file", &key.certificate_file),
        ("key_file", &key.key_file),
        ("pkcs12_file", &key.pkcs12_file),
    ] {
        all.extend(one(format!("{at}.{name}"), file));
    }
    let module = key.token.as_ref().map(|token| token.module.as_path());
    all.extend(module.map(|path| NamedFile { setting: format!("{at}.token"), path }));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `resolve_paths` takes from the folder of the file is a file that has to be there.
    #[test]
    fn no_file_is_forgotten() {
        let text = r#"
            listen.api = { certificate_file = "1.pem", key_file = "2.key" }
            listen.metrics = { certificate_file = "3.pem", key_file = "4.key" }
            api.token_key_file = "5.key"
            access_point = { certificate_file = "6.pem", key_file = "7.key", old_keys = [
                { certificate_file = "8.pem", key_file = "9.key" }], next = { from =
                "2026-02-11T00:00:00Z", key = { pkcs12_file = "10.p12", pkcs12_password = "x" } } }
            smp = { certificate_file = "11.pem", token = { module = "12.so", label = "t", key = "k",
                pin = "1" } }
            trust = { ap_anchors = ["13.pem"], smp_intermediates = ["14.pem"], authorities = [
                { name = "G", root = "15.pem", access_point = "16.pem", smp = "17.pem" }] }
            endpoints.other = { certificate_file = "18.pem" }
            tls.extra_ca_files = ["19.pem"]
            mail = { dkim = [{ domain = "a.org", selector = "s", key_file = "20.pem" }] }
            ksef.upo_anchors = ["21.pem"]
        "#;
        let mut config: Config = toml::from_str(text).unwrap();
        config.resolve_paths(Path::new("/etc/quoin"));
        let mut numbers: Vec<usize> = Vec::new();
        for NamedFile { setting, path } in config.files() {
            assert!(path.starts_with("/etc/quoin"), "{setting}: {}", path.display());
            numbers.push(path.file_stem().unwrap().to_str().unwrap().parse().unwrap());
        }
        numbers.sort_unstable();
        assert_eq!(numbers, (1..=21).collect::<Vec<_>>());
    }
}
