//! Files that are set aside on a server that holds them in memory.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use super::*;
use crate::sftp::wire::tests::{served, told};

/// Files and folders by their paths.
type Held = Arc<Mutex<BTreeMap<String, Vec<u8>>>>;

/// Kinds of messages (draft-ietf-secsh-filexfer-02, section 3).
const OPEN: u8 = 3;
const READ: u8 = 5;
const WRITE: u8 = 6;
const REMOVE: u8 = 13;
const MAKE_FOLDER: u8 = 14;
const STAT: u8 = 17;
const RENAME: u8 = 18;

/// The strings of a message, behind its number.
fn strings(packet: &[u8]) -> Vec<String> {
    let (mut rest, mut found) = (&packet[4..], Vec::new());
    while let Some((length, more)) = rest.split_at_checked(4) {
        let length = u32::from_be_bytes(length.try_into().unwrap()) as usize;
        let Some((text, more)) = more.split_at_checked(length) else { break };
        found.push(String::from_utf8_lossy(text).into_owned());
        rest = more;
    }
    found
}

/// A server with these files. It renames over nothing, and says of each rename that it failed where
/// it `lies`.
fn answers(held: &Held, lies: bool) -> impl Fn(u8, &[u8]) -> Vec<u8> + Send + 'static {
    let held = Arc::clone(held);
    move |kind, packet| {
        let mut held = held.lock().unwrap();
        let named = strings(packet);
        let first = named.first().cloned().unwrap_or_default();
        let missing = |packet: &[u8]| told(packet, status::NO_SUCH_FILE, "no such file");
        match kind {
            STAT if !held.contains_key(&first) => missing(packet),
            STAT => [&[105], &packet[..4], &[0; 4][..]].concat(),
            MAKE_FOLDER => {
                held.insert(first, Vec::new());
                told(packet, status::OK, "")
            }
            // The handle is the path; to be written it is made anew.
            OPEN => {
                let flags = 8 + first.len();
                if packet[flags..].starts_with(&[0, 0, 0, 0x1A]) {
                    held.insert(first.clone(), Vec::new());
                }
                let length = u32::try_from(first.len()).unwrap().to_be_bytes();
                [&[102], &packet[..4], &length[..], first.as_bytes()].concat()
            }
            WRITE => {
                let text = packet[8 + first.len() + 8 + 4..].to_vec();
                held.insert(first, text);
                told(packet, status::OK, "")
            }
            READ => {
                let offset = packet[8 + first.len()..][7];
                match held.get(&first).filter(|_| offset == 0) {
                    Some(text) => {
                        let length = u32::try_from(text.len()).unwrap().to_be_bytes();
                        [&[103], &packet[..4], &length[..], text].concat()
                    }
                    None => told(packet, status::END, ""),
                }
            }
            REMOVE => {
                held.remove(&first);
                told(packet, status::OK, "")
            }
            RENAME if !held.contains_key(&first) => missing(packet),
            RENAME if held.contains_key(&named[1]) => told(packet, status::FAILURE, "it is there"),
            RENAME => {
                let text = held.remove(&first).unwrap();
                held.insert(named[1].clone(), text);
                let code = if lies { status::FAILURE } else { status::OK };
                told(packet, code, "")
            }
            _ => told(packet, status::OK, ""),
        }
    }
}

fn holding(files: &[(&str, &str)]) -> Held {
    let own = |(path, text): &(&str, &str)| ((*path).to_owned(), text.as_bytes().to_vec());
    Arc::new(Mutex::new(files.iter().map(own).collect()))
}

fn texts(held: &Held) -> Vec<(String, String)> {
    let held = held.lock().unwrap();
    let own = held.iter().filter(|(path, _)| path.matches('/').count() > 1);
    own.map(|(path, text)| (path.clone(), String::from_utf8_lossy(text).into_owned())).collect()
}

async fn moved(held: &Held, lies: bool, said: Option<&str>) -> Result<(), SftpFault> {
    let (mut session, _serving) = served(&[], answers(held, lies)).await;
    let from = "/out/a.xml";
    let file = AsideFile { from, folder: "/out/failed", name: "a.xml", mark: "id", said };
    set_aside(&mut session, &file).await
}

fn pairs(wanted: &[(&str, &str)]) -> Vec<(String, String)> {
    wanted.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
}

#[tokio::test]
async fn a_file_is_nowhere_lost_where_the_server_says_that_it_failed() {
    for (lies, said) in [(false, None), (true, None), (false, Some("No.")), (true, Some("No."))] {
        let held = holding(&[("/out/a.xml", "bill")]);
        moved(&held, lies, said).await.unwrap();
        let mut wanted = vec![("/out/failed/a.xml", "bill")];
        wanted.extend(said.map(|said| ("/out/failed/a.xml.error.txt", said)));
        // The folder is there too.
        let found = texts(&held).into_iter().filter(|(path, _)| path != "/out/failed");
        assert_eq!(found.collect::<Vec<_>>(), pairs(&wanted), "{lies}");
    }
}

#[tokio::test]
async fn what_lies_there_stays_and_the_file_has_another_name() {
    let (plain, marked) = ("/out/failed/a.xml", "/out/failed/id-a.xml");
    let note = "/out/failed/a.xml.error.txt";
    for (before, said, becomes) in [
        (&[(plain, "older")][..], None, marked),
        (&[(plain, "older"), (marked, "old")], None, "/out/failed/id-2-a.xml"),
        // Somebody's file that is called as the note would be.
        (&[(note, "a file of theirs")], Some("No."), marked),
        // What was written when the file could not be moved is ours.
        (&[(note, "No.")], Some("No."), plain),
    ] {
        for lies in [false, true] {
            let all = [&[("/out/a.xml", "bill"), ("/out/failed", "")][..], before].concat();
            let held = holding(&all);
            moved(&held, lies, said).await.unwrap();
            let found = texts(&held);
            for (path, text) in before {
                let own = ((*path).to_owned(), (*text).to_owned());
                assert!(found.contains(&own), "{path} of {found:?}");
            }
            assert!(found.contains(&(becomes.to_owned(), "bill".to_owned())), "{found:?}");
        }
    }
}

#[tokio::test]
async fn a_file_for_which_there_is_no_name_stays() {
    let mut all = vec![("/out/a.xml".to_owned(), "bill"), ("/out/failed/a.xml".to_owned(), "")];
    all.push(("/out/failed".to_owned(), ""));
    all.push(("/out/failed/id-a.xml".to_owned(), ""));
    all.extend((2..NAMES).map(|turn| (format!("/out/failed/id-{turn}-a.xml"), "")));
    let all: Vec<_> = all.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    let held = holding(&all);
    let fault = moved(&held, false, None).await.unwrap_err();
    assert!(fault.answered && fault.cause.contains("move them elsewhere"), "{fault}");
    assert!(held.lock().unwrap().contains_key("/out/a.xml"));
}
