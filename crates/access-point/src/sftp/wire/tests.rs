//! The messages of SFTP against a server that says what a test wants.

use tokio::io::{DuplexStream, duplex};

use super::*;

/// How long a test waits for an answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// A server that answers each message by a rule, and notes the kinds of what it was asked.
pub(in crate::sftp) async fn served(
    extensions: &[&str],
    answer: impl Fn(u8, &[u8]) -> Vec<u8> + Send + 'static,
) -> (SftpSession<DuplexStream>, tokio::task::JoinHandle<Vec<u8>>) {
    let (ours, mut theirs) = duplex(1 << 20);
    let pairs: Vec<u8> =
        extensions.iter().flat_map(|name| [string(name), string("1")].concat()).collect();
    let serving = tokio::spawn(async move {
        let mut asked = Vec::new();
        while let Ok(length) = theirs.read_u32().await {
            let mut packet = vec![0; length as usize];
            theirs.read_exact(&mut packet).await.unwrap();
            let kind = packet[0];
            asked.push(kind);
            let body = match kind {
                kind::INIT => [&[kind::VERSION], &3_u32.to_be_bytes()[..], &pairs].concat(),
                _ => answer(kind, &packet[1..]),
            };
            let told = [&u32::try_from(body.len()).unwrap().to_be_bytes()[..], &body].concat();
            if theirs.write_all(&told).await.is_err() {
                break;
            }
        }
        asked
    });
    (SftpSession::begin(ours, PATIENCE).await.unwrap(), serving)
}

pub(in crate::sftp) fn told(packet: &[u8], code: u32, words: &str) -> Vec<u8> {
    let id = &packet[..4];
    [&[kind::STATUS], id, &code.to_be_bytes()[..], &string(words), &string("en")].concat()
}

#[tokio::test]
async fn a_file_is_written_in_order_with_a_handle_that_is_no_text() {
    let handle = vec![0, 255, 0xC3, 0x28];
    let known = handle.clone();
    let answer = move |kind: u8, packet: &[u8]| match kind {
        kind::OPEN => [&[kind::HANDLE], &packet[..4], &string(&known)].concat(),
        kind::WRITE => {
            assert_eq!(&packet[4..12], string(&known));
            told(packet, status::OK, "")
        }
        _ => told(packet, status::OK, ""),
    };
    let (mut session, serving) = served(&[FSYNC], answer).await;
    assert_eq!(session.create("/in/.a.part").await.unwrap(), handle);
    assert!(session.fill(&handle, &vec![7; CHUNK * 40 + 1]).await.unwrap());
    drop(session);
    let asked = serving.await.unwrap();
    assert_eq!(asked.iter().filter(|kind| **kind == kind::WRITE).count(), 41);
    assert_eq!(asked[asked.len() - 2..], [kind::EXTENDED, kind::CLOSE]);
}

#[tokio::test]
async fn a_no_in_between_is_told_and_the_session_goes_on_in_step() {
    let answer = move |kind: u8, packet: &[u8]| match kind {
        kind::OPEN => [&[kind::HANDLE], &packet[..4], &string("h")].concat(),
        kind::WRITE => told(packet, 4, "full"),
        kind::STAT => [&[kind::ATTRIBUTES], &packet[..4], &[0; 4][..]].concat(),
        _ => told(packet, status::OK, ""),
    };
    let (mut session, serving) = served(&[FSYNC], answer).await;
    session.create("a").await.unwrap();
    let failed = session.fill(b"h", &vec![7; CHUNK * 100]).await.unwrap_err();
    assert_eq!(failed, (WireError::Status { code: 4, words: "full".to_owned() }, WRITING));
    assert_eq!(session.size("a").await.unwrap(), None);
    drop(session);
    let asked = serving.await.unwrap();
    // Nothing more is written once one was refused; what was under way is heard.
    assert_eq!(asked.iter().filter(|kind| **kind == kind::WRITE).count(), UNDER_WAY);
    assert_eq!(asked[asked.len() - 3..], [kind::EXTENDED, kind::CLOSE, kind::STAT]);
}

#[tokio::test]
async fn a_no_is_told_with_its_code_and_words_in_one_line() {
    let no = |_: u8, packet: &[u8]| told(packet, 4, &format!("No\nspace {}", "x".repeat(500)));
    let (mut session, _serving) = served(&[], no).await;
    let Err(WireError::Status { code: 4, words }) = session.create("a").await else {
        panic!("it was no status")
    };
    assert!(words.starts_with("No space x") && words.chars().count() == WORDS, "{words}");
}

#[tokio::test]
async fn a_server_without_the_extension_renames_over_our_own_file() {
    let seen = std::sync::atomic::AtomicBool::new(false);
    let answer = move |kind: u8, packet: &[u8]| match kind {
        kind::RENAME if !seen.swap(true, std::sync::atomic::Ordering::Relaxed) => {
            told(packet, 4, "it is there")
        }
        kind::STAT => {
            let flags = 0_u32.to_be_bytes();
            [&[kind::ATTRIBUTES], &packet[..4], &flags[..]].concat()
        }
        _ => told(packet, status::OK, ""),
    };
    let (mut session, serving) = served(&[], answer).await;
    session.rename("a", "b").await.unwrap();
    drop(session);
    let asked = serving.await.unwrap();
    // Before anything is removed it is seen that the other file is there still.
    let looks = [kind::STAT, kind::STAT];
    let wanted = [&[kind::INIT, kind::RENAME][..], &looks, &[kind::REMOVE, kind::RENAME]].concat();
    assert_eq!(asked, wanted);
}

#[tokio::test]
async fn a_rename_that_was_done_and_told_as_failed_is_done() {
    for over in [true, false] {
        let answer = move |kind: u8, packet: &[u8]| match kind {
            kind::STAT if packet.ends_with(b"/new") => {
                let flags = 0_u32.to_be_bytes();
                [&[kind::ATTRIBUTES], &packet[..4], &flags[..]].concat()
            }
            kind::STAT => told(packet, status::NO_SUCH_FILE, "no such file"),
            kind::RENAME => told(packet, status::FAILURE, "it failed"),
            _ => told(packet, status::OK, ""),
        };
        let (mut session, serving) = served(&[], answer).await;
        match over {
            true => session.rename("/old", "/new").await.unwrap(),
            false => session.move_to("/old", "/new").await.unwrap(),
        }
        drop(session);
        let asked = serving.await.unwrap();
        assert_eq!(asked, [kind::INIT, kind::RENAME, kind::STAT, kind::STAT], "nothing is removed");
    }
}

#[tokio::test]
async fn a_server_with_the_extension_renames_at_once() {
    let (mut session, serving) =
        served(&[POSIX_RENAME], |_, packet| told(packet, status::OK, "")).await;
    session.rename("a", "b").await.unwrap();
    drop(session);
    assert_eq!(serving.await.unwrap(), [kind::INIT, kind::EXTENDED]);
}

#[tokio::test]
async fn the_size_of_a_file_is_read_where_it_is_told() {
    let answer = |_: u8, packet: &[u8]| {
        let size = (5_u64 << 32) + 7;
        [&[kind::ATTRIBUTES], &packet[..4], &1_u32.to_be_bytes()[..], &size.to_be_bytes()].concat()
    };
    let (mut session, _serving) = served(&[], answer).await;
    assert_eq!(session.size("a").await.unwrap(), Some((5 << 32) + 7));
}

#[tokio::test]
async fn nonsense_is_no_answer_and_never_takes_more_memory() {
    for body in [
        Vec::new(),
        vec![kind::HANDLE],
        [&[kind::HANDLE], &[0; 4][..], &u32::MAX.to_be_bytes()].concat(),
        vec![0; PACKET + 1],
    ] {
        let (mut session, _serving) = served(&[], move |_, _| body.clone()).await;
        assert_eq!(session.create("a").await.unwrap_err(), WireError::Malformed);
    }
    let (ours, mut theirs) = duplex(1 << 20);
    theirs.write_all(&u32::MAX.to_be_bytes()).await.unwrap();
    assert_eq!(SftpSession::begin(ours, PATIENCE).await.err(), Some(WireError::Malformed));
}

#[tokio::test]
async fn an_end_in_between_is_told_as_one() {
    let (ours, theirs) = duplex(1 << 20);
    drop(theirs);
    assert!(matches!(SftpSession::begin(ours, PATIENCE).await.err(), Some(WireError::Ended(_))));
}

#[tokio::test]
async fn a_silent_server_is_given_up() {
    let (ours, _theirs) = duplex(1 << 20);
    let begun = SftpSession::begin(ours, Duration::from_millis(50)).await;
    assert_eq!(begun.err(), Some(WireError::Silent));
}

#[tokio::test]
async fn a_folder_is_listed_and_a_file_is_read_piece_by_piece() {
    let (pieces, names) = (std::sync::Mutex::new(2), std::sync::Mutex::new(1));
    let answer = move |kind: u8, packet: &[u8]| {
        let id = &packet[..4];
        match kind {
            kind::OPEN | kind::OPEN_FOLDER => [&[kind::HANDLE], id, &string("h")].concat(),
            kind::READ if count(&pieces) => [&[kind::DATA], id, &string([7; 3])].concat(),
            kind::READ_FOLDER if count(&names) => {
                let plain = [4_u32 | 8 | 1 | 2, 0, 9].map(u32::to_be_bytes).concat();
                let plain = [plain, [0; 8].to_vec(), 0o100_644_u32.to_be_bytes().to_vec()].concat();
                let plain = [plain, [0, 5].map(u32::to_be_bytes).concat()].concat();
                let folder = [4, 0o040_755].map(u32::to_be_bytes).concat();
                let count = 3_u32.to_be_bytes();
                let first = [string("a.xml"), string("-rw a.xml"), plain].concat();
                let second = [string("sub"), string("d sub"), folder].concat();
                let third = [string([0xFF]), string(""), vec![0; 4]].concat();
                [&[kind::NAMES], id, &count, &first, &second, &third].concat()
            }
            kind::CLOSE => told(packet, status::OK, ""),
            _ => told(packet, status::END, ""),
        }
    };
    let (mut session, _serving) = served(&[], answer).await;
    let entries = session.list("out").await.unwrap();
    let seen: Vec<_> =
        entries.iter().map(|e| (e.name.as_deref().ok(), e.is_file, e.size, e.modified)).collect();
    let expected =
        [(Some("a.xml"), true, Some(9), 5), (Some("sub"), false, None, 0), (None, true, None, 0)];
    assert_eq!(seen, expected);
    assert_eq!(entries[2].name, Err(vec![0xFF]));
    assert_eq!(session.read("out/a.xml", 100).await.unwrap(), Some(vec![7; 6]));
}

#[tokio::test]
async fn a_folder_of_long_names_is_listed_within_bounds() {
    let answer = move |kind: u8, packet: &[u8]| {
        let id = &packet[..4];
        match kind {
            kind::OPEN_FOLDER => [&[kind::HANDLE], id, &string("h")].concat(),
            kind::READ_FOLDER => {
                let one = [string(vec![b'n'; 250_000]), string(""), vec![0; 4]].concat();
                [&[kind::NAMES], id, &1_u32.to_be_bytes()[..], &one].concat()
            }
            _ => told(packet, status::OK, ""),
        }
    };
    let (mut session, _serving) = served(&[], answer).await;
    let entries = session.list("out").await.unwrap();
    assert_eq!(entries.len(), (16 << 20) / 250_000 + 1, "a list without end ends");
    assert!(entries.iter().all(|entry| entry.name == Err(vec![b'n'; 255])), "and is cut");
}

/// Whether there is one left, of which one less is then.
fn count(left: &std::sync::Mutex<u32>) -> bool {
    let mut left = left.lock().unwrap();
    let any = *left > 0;
    *left = left.saturating_sub(1);
    any
}

#[tokio::test]
async fn a_file_that_is_too_long_is_not_read_to_its_end() {
    let answer = |kind: u8, packet: &[u8]| match kind {
        kind::OPEN => [&[kind::HANDLE], &packet[..4], &string("h")].concat(),
        kind::READ => [&[kind::DATA], &packet[..4], &string([7; 60])].concat(),
        _ => told(packet, status::OK, ""),
    };
    let (mut session, _serving) = served(&[], answer).await;
    assert_eq!(session.read("a", 100).await.unwrap(), None);
}
