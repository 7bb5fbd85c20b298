//! What a database engine must offer, in terms that belong to none: parameters, values, rows and a
//! connection. SQL is written once in the portable subset (`?1` parameters, RETURNING, ON
//! CONFLICT); only the module of an engine knows its driver.

use jiff::Timestamp;

use crate::error::Fault;
use crate::written::Tables;

pub(crate) mod sqlite;

/// A parameter, borrowed from the caller so that a document is not copied once more.
#[derive(Clone, Copy)]
pub(crate) enum Param<'a> {
    Null,
    Integer(i64),
    Text(&'a str),
    Blob(&'a [u8]),
}

/// A value of a row.
pub(crate) enum SqlValue {
    Null,
    Integer(i64),
    Text(String),
    Blob(Vec<u8>),
}

/// An open connection, inside or outside a transaction.
pub(crate) trait Connection {
    /// Runs a statement without rows; answers how many rows it changed.
    fn execute(&mut self, sql: &'static str, params: &[Param<'_>]) -> Result<usize, Fault>;
    /// Runs a statement and answers all its rows.
    fn query(&mut self, sql: &'static str, params: &[Param<'_>]) -> Result<Vec<SqlRow>, Fault>;
    /// How many rows were changed since the connection was opened.
    fn changes(&self) -> u64;
    /// Copies the log into the database, so that its file alone is whole. A fault where somebody
    /// else is in the way.
    fn checkpoint(&mut self) -> Result<(), Fault>;
    /// Pages of the log as of the last commit of this connection.
    fn log_pages(&self) -> u32;
    /// Bytes of a page.
    fn page_bytes(&self) -> u32;
    /// Copies as much of the log into the database as goes beside others; answers how many of its
    /// pages are copied now.
    fn copy_log(&mut self) -> Result<u32, Fault>;
    /// Runs several statements without parameters.
    fn batch(&mut self, sql: &str) -> Result<(), Fault>;
    /// Which tables of those that are watched were written since this was asked last.
    fn written(&mut self) -> Tables;
}

impl dyn Connection + '_ {
    /// The first row, if there is one.
    pub(crate) fn first(
        &mut self,
        sql: &'static str,
        params: &[Param<'_>],
    ) -> Result<Option<SqlRow>, Fault> {
        Ok(self.query(sql, params)?.into_iter().next())
    }
}

impl<'a> From<&'a str> for Param<'a> {
    fn from(text: &'a str) -> Param<'a> {
        Param::Text(text)
    }
}
impl<'a> From<&'a String> for Param<'a> {
    fn from(text: &'a String) -> Param<'a> {
        Param::Text(text)
    }
}
impl<'a> From<&'a [u8]> for Param<'a> {
    fn from(bytes: &'a [u8]) -> Param<'a> {
        Param::Blob(bytes)
    }
}
impl From<i64> for Param<'_> {
    fn from(number: i64) -> Self {
        Param::Integer(number)
    }
}
impl From<u32> for Param<'_> {
    fn from(number: u32) -> Self {
        Param::Integer(i64::from(number))
    }
}
impl From<bool> for Param<'_> {
    fn from(yes: bool) -> Self {
        Param::Integer(i64::from(yes))
    }
}
/// Times are kept as microseconds since 1970 UTC.
impl From<Timestamp> for Param<'_> {
    fn from(time: Timestamp) -> Self {
        Param::Integer(time.as_microsecond())
    }
}
impl<'a, T> From<Option<T>> for Param<'a>
where
    Param<'a>: From<T>,
{
    fn from(value: Option<T>) -> Self {
        value.map_or(Param::Null, Param::from)
    }
}

/// A row, read from the left: each call takes the next column.
pub(crate) struct SqlRow {
    values: std::vec::IntoIter<SqlValue>,
}

impl SqlRow {
    pub(crate) fn new(values: Vec<SqlValue>) -> SqlRow {
        SqlRow { values: values.into_iter() }
    }

    fn next(&mut self) -> SqlValue {
        self.values.next().unwrap_or(SqlValue::Null)
    }

    pub(crate) fn text(&mut self, what: &'static str) -> Result<String, Fault> {
        self.text_or_none(what)?.ok_or_else(|| Fault::record(what, "nothing"))
    }

    pub(crate) fn text_or_none(&mut self, what: &'static str) -> Result<Option<String>, Fault> {
        match self.next() {
            SqlValue::Text(text) => Ok(Some(text)),
            SqlValue::Null => Ok(None),
            _ => Err(Fault::record(what, "something other than text")),
        }
    }

    /// Several texts side by side.
    pub(crate) fn texts<const N: usize>(
        &mut self,
        what: [&'static str; N],
    ) -> Result<[Option<String>; N], Fault> {
        let mut found = [const { None }; N];
        for (text, what) in found.iter_mut().zip(what) {
            *text = self.text_or_none(what)?;
        }
        Ok(found)
    }

    /// A text that is read by its own rules: an id, a word of a table.
    pub(crate) fn parsed<T: std::str::FromStr>(&mut self, what: &'static str) -> Result<T, Fault> {
        let text = self.text(what)?;
        text.parse().map_err(|_| Fault::record(what, text))
    }

    /// A text that is one of the words of a table.
    pub(crate) fn word<T>(
        &mut self,
        what: &'static str,
        named: impl Fn(&str) -> Option<T>,
    ) -> Result<T, Fault> {
        let text = self.text(what)?;
        named(&text).ok_or_else(|| Fault::record(what, text))
    }

    /// A text that is JSON.
    pub(crate) fn json<T: serde::de::DeserializeOwned>(
        &mut self,
        what: &'static str,
    ) -> Result<T, Fault> {
        let text = self.text(what)?;
        serde_json::from_str(&text).map_err(|_| Fault::record(what, text))
    }

    /// A text that is JSON, or nothing.
    pub(crate) fn json_or_none<T: serde::de::DeserializeOwned>(
        &mut self,
        what: &'static str,
    ) -> Result<Option<T>, Fault> {
        let Some(text) = self.text_or_none(what)? else { return Ok(None) };
        serde_json::from_str(&text).map(Some).map_err(|_| Fault::record(what, text))
    }

    pub(crate) fn integer(&mut self, what: &'static str) -> Result<i64, Fault> {
        self.integer_or_none(what)?.ok_or_else(|| Fault::record(what, "nothing"))
    }

    pub(crate) fn integer_or_none(&mut self, what: &'static str) -> Result<Option<i64>, Fault> {
        match self.next() {
            SqlValue::Integer(number) => Ok(Some(number)),
            SqlValue::Null => Ok(None),
            _ => Err(Fault::record(what, "something other than a number")),
        }
    }

    pub(crate) fn count<T: TryFrom<i64>>(&mut self, what: &'static str) -> Result<T, Fault> {
        let number = self.integer(what)?;
        T::try_from(number).map_err(|_| Fault::record(what, number))
    }

    pub(crate) fn yes(&mut self, what: &'static str) -> Result<bool, Fault> {
        Ok(self.integer(what)? != 0)
    }

    pub(crate) fn time(&mut self, what: &'static str) -> Result<Timestamp, Fault> {
        self.time_or_none(what)?.ok_or_else(|| Fault::record(what, "nothing"))
    }

    pub(crate) fn time_or_none(&mut self, what: &'static str) -> Result<Option<Timestamp>, Fault> {
        let Some(micros) = self.integer_or_none(what)? else { return Ok(None) };
        Timestamp::from_microsecond(micros).map(Some).map_err(|_| Fault::record(what, micros))
    }

    pub(crate) fn blob_or_none(&mut self, what: &'static str) -> Result<Option<Vec<u8>>, Fault> {
        match self.next() {
            SqlValue::Blob(bytes) => Ok(Some(bytes)),
            SqlValue::Null => Ok(None),
            _ => Err(Fault::record(what, "something other than bytes")),
        }
    }

    pub(crate) fn blob(&mut self, what: &'static str) -> Result<Vec<u8>, Fault> {
        self.blob_or_none(what)?.ok_or_else(|| Fault::record(what, "nothing"))
    }

    /// A SHA-256.
    pub(crate) fn digest(&mut self, what: &'static str) -> Result<[u8; 32], Fault> {
        self.digest_or_none(what)?.ok_or_else(|| Fault::record(what, "nothing"))
    }

    pub(crate) fn digest_or_none(&mut self, what: &'static str) -> Result<Option<[u8; 32]>, Fault> {
        let Some(bytes) = self.blob_or_none(what)? else { return Ok(None) };
        let found = bytes.len();
        let wrong = |_| Fault::record(what, format_args!("{found} bytes, not 32"));
        bytes.try_into().map(Some).map_err(wrong)
    }
}

/// A value as JSON text.
pub(crate) fn json<T: serde::Serialize>(value: &T) -> Result<String, Fault> {
    serde_json::to_string(value).map_err(|e| Fault::record("a JSON column", e))
}
