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

#[tokio::test]
async fn a_full_budget_is_a_refusal_for_a_moment_and_no_fault() {
    let passwords = Passwords::full();
    let refused = passwords.hash("correct horse").await.unwrap_err();
    assert!(matches!(refused, PasswordError::Full(_)), "{refused}");
    let unknown = passwords.fits("correct horse", None).await.unwrap_err();
    assert!(matches!(unknown, PasswordError::Full(_)), "{unknown}");

    let problem = Problem::from(refused);
    assert_eq!(problem.code.id, "API503");
    assert_eq!(problem.headers, [(RETRY_AFTER, "5".parse().unwrap())]);

    let fault = Problem::from(PasswordError::Fault("no random bytes".to_owned()));
    assert_eq!((fault.code.id, fault.headers.len()), ("API500", 0));
}
