//! Tests of `password`: the right one fits, every other one does not, and no hash is the same.

use super::*;

#[tokio::test]
async fn only_the_right_password_fits() {
    let passwords = Passwords::default();
    let hash = passwords.hash("correct horse").await.unwrap();
    assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
    assert!(passwords.fits("correct horse", Some(&hash)).await.unwrap());
    assert!(!passwords.fits("correct horsf", Some(&hash)).await.unwrap());
    assert!(!passwords.fits("nobody has this one", None).await.unwrap());
    assert!(!passwords.fits("correct horse", Some("not a hash")).await.unwrap());
    assert_ne!(hash, passwords.hash("correct horse").await.unwrap(), "the salt is fresh");
}
