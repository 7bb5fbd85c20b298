//! One contract for all channels: the same cases for each, against a counterpart that behaves as
//! real ones do. A channel is a row at the end of this file and a file with its [`Counterpart`].

mod cases;
mod counterpart;
mod https;
mod killed;
mod mail;
mod partner;
pub mod repeated;
mod sftp;

/// The cases of each channel, by the name of its file.
macro_rules! suite {
    ($($channel:ident: $counterpart:path;)+) => {$(
        mod $channel {
            use super::cases::{self, Theatre};
            use super::counterpart::Mood;

            async fn theatre(mood: Mood) -> Option<Theatre> {
                Theatre::open::<$counterpart>(mood).await
            }

            #[tokio::test(flavor = "multi_thread")]
            async fn killed_with_each_family() {
                super::killed::each_family_over_kills::<$counterpart>().await;
            }

            suite! { @cases theatre
                delivered(Mood::Takes) is_delivered;
                refused_for_good(Mood::Refuses) is_refused;
                says_again(Mood::Repeats) hides_what_it_was_shown;
                later(Mood::Later) waits;
                silent(Mood::Silent) waits;
                slow(Mood::Slow) is_delivered;
                full(Mood::Full) waits;
                cut_before_it_had_it(Mood::CutsBefore) waits;
                cut_after_it_had_it(Mood::CutsAfter) comes_again;
                somebody_else(Mood::Stranger) waits;
                credentials_rotated(Mood::Rotated) waits_for_the_next_credentials;
                twenty_megabytes(Mood::Takes) carries_a_large_one;
                in_a_row(Mood::Takes) carries_many;
            }
        }
    )+};
    (@cases $theatre:ident $($name:ident($mood:path) $case:ident;)+) => {$(
        #[tokio::test(flavor = "multi_thread")]
        async fn $name() {
            if let Some(theatre) = $theatre($mood).await {
                cases::$case(&theatre, $mood).await;
            }
        }
    )+};
}

mod of {
    //! One module of tests for each channel.
    use super::{cases, counterpart, killed};

    suite! {
        https: super::super::https::WebCounterpart;
        sftp: super::super::sftp::FolderCounterpart;
        mail: super::super::mail::MailCounterpart;
        cxml: super::super::partner::CxmlCounterpart;
        trading_network: super::super::partner::AccountsCounterpart;
        dico: super::super::partner::DicoCounterpart;
        collaboration: super::super::partner::PlatformCounterpart;
    }
}
