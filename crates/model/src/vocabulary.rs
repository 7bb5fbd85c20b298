//! Words that findings and explanations share, in five languages.

use crate::{FixBy, Flag, Language};

/// A text in each language, English first.
pub struct Word(pub [&'static str; 5]);

impl Word {
    /// The text in a language.
    pub fn in_language(&self, language: Language) -> &'static str {
        let at = Language::ALL.iter().position(|own| *own == language).unwrap_or_default();
        self.0.get(at).copied().unwrap_or_default()
    }
}

/// Before what fixes a finding.
pub const TO_FIX: Word = Word(["to fix", "herstellen", "zu beheben", "à corriger", "do poprawy"]);

/// A flag as a word.
pub fn flag(flag: Flag) -> Word {
    match flag {
        Flag::Fatal => Word(["fatal", "fataal", "fatal", "bloquant", "krytyczny"]),
        Flag::Warning => {
            Word(["warning", "waarschuwing", "Warnung", "avertissement", "ostrzeżenie"])
        }
        Flag::Information => {
            Word(["information", "informatie", "Hinweis", "information", "informacja"])
        }
    }
}

/// Who fixes a finding.
pub fn fix_by(fix_by: FixBy) -> Word {
    match fix_by {
        FixBy::SourceSystem => Word([
            "the program that made the document",
            "het programma dat het document maakte",
            "das Programm, das das Dokument erstellt hat",
            "le programme qui a produit le document",
            "program, który utworzył dokument",
        ]),
        FixBy::MasterData => Word([
            "whoever keeps the sender's master data",
            "wie de stamgegevens van de afzender beheert",
            "wer die Stammdaten des Absenders pflegt",
            "qui tient les données de base de l'expéditeur",
            "osoba prowadząca dane podstawowe nadawcy",
        ]),
        FixBy::Receiver => {
            Word(["the receiver", "de ontvanger", "der Empfänger", "le destinataire", "odbiorca"])
        }
    }
}
