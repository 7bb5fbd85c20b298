//! The action of a batch hook: `batch://zip?period=00:15:00&maxBatchSize=100` (conventions A9).

use jiff::SignedDuration;
use quoin_model::text::quoted;

/// The longest period of a batch.
pub const LONGEST_PERIOD: SignedDuration = SignedDuration::from_hours(24);
/// The most events of a batch.
pub(super) const LARGEST_BATCH: u32 = 500;
/// Bytes of documents after which a batch is closed early.
pub const BATCH_BYTES: i64 = 64 << 20;

const PREFIX: &str = "batch://zip";

/// When a batch is closed: after its period, or when it has so many events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BatchPlan {
    /// Counted from its first event.
    pub period: SignedDuration,
    /// Events at most.
    pub most: u32,
}

/// An action that is no batch.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{what}; expected batch://zip?period=00:15:00&maxBatchSize=100, with a period of hours, \
     minutes and seconds up to 24:00:00 and a size from 1 to {LARGEST_BATCH}"
)]
pub struct BatchError {
    what: String,
}

impl BatchPlan {
    /// Reads the action. Without parameters a batch is closed every 15 minutes or at 100 events.
    ///
    /// # Errors
    /// [`BatchError`].
    pub fn parse(action: &str) -> Result<BatchPlan, BatchError> {
        let wrong = |what: String| BatchError { what };
        let rest = action
            .strip_prefix(PREFIX)
            .ok_or_else(|| wrong(format!("the action is {action}", action = quoted(action, 80))))?;
        let mut plan = BatchPlan { period: SignedDuration::from_mins(15), most: 100 };
        let parameters = match rest.strip_prefix('?') {
            Some(parameters) => parameters,
            None if rest.is_empty() => return Ok(plan),
            None => {
                return Err(wrong(format!(
                    "the action goes on with {rest}",
                    rest = quoted(rest, 40)
                )));
            }
        };
        for parameter in parameters.split('&') {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            match name {
                "period" => {
                    plan.period = period(value).ok_or_else(|| {
                        wrong(format!("the period is {value}", value = quoted(value, 40)))
                    })?;
                }
                "maxBatchSize" => {
                    plan.most = value
                        .parse()
                        .ok()
                        .filter(|most| (1..=LARGEST_BATCH).contains(most))
                        .ok_or_else(|| {
                            wrong(format!("maxBatchSize is {value}", value = quoted(value, 40)))
                        })?;
                }
                other => {
                    return Err(wrong(format!(
                        "there is no parameter {other}",
                        other = quoted(other, 40)
                    )));
                }
            }
        }
        Ok(plan)
    }
}

/// `hh:mm:ss`, more than nothing.
fn period(text: &str) -> Option<SignedDuration> {
    let mut parts = text.split(':');
    let mut next = |most: i64| {
        let part = parts.next()?;
        let number: i64 = part.parse().ok()?;
        let plain = part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
        (plain && number <= most).then_some(number)
    };
    let (hours, minutes, seconds) = (next(24)?, next(59)?, next(59)?);
    if parts.next().is_some() {
        return None;
    }
    let period = SignedDuration::from_secs(hours * 3600 + minutes * 60 + seconds);
    (period.is_positive() && period <= LONGEST_PERIOD).then_some(period)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_read_and_have_defaults() {
        for (action, seconds, most) in [
            ("batch://zip", 900, 100),
            ("batch://zip?period=00:15:00&maxBatchSize=100", 900, 100),
            ("batch://zip?maxBatchSize=1", 900, 1),
            ("batch://zip?period=24:00:00", 86_400, 100),
            ("batch://zip?period=00:00:05&maxBatchSize=500", 5, 500),
        ] {
            let plan = BatchPlan { period: SignedDuration::from_secs(seconds), most };
            assert_eq!(BatchPlan::parse(action), Ok(plan), "{action}");
        }
    }

    #[test]
    fn what_is_no_batch_is_refused() {
        for action in [
            "batch://tar",
            "batch://zipped",
            "batch://zip?period=15",
            "batch://zip?period=00:00:00",
            "batch://zip?period=24:00:01",
            "batch://zip?period=0:15:00",
            "batch://zip?period=00:15:00:00",
            "batch://zip?period=+1:15:00",
            "batch://zip?maxBatchSize=0",
            "batch://zip?maxBatchSize=501",
            "batch://zip?size=1",
            "batch://zip?",
        ] {
            let refused = BatchPlan::parse(action).unwrap_err().to_string();
            assert!(refused.contains("batch://zip?period=00:15:00"), "{refused}");
        }
    }
}
