//! The names of bots that are external programs, such as `exec:COMMAND` or `exec:5s:COMMAND`.

/// The prefix of the names of bots that are external programs.
pub const PROGRAM_PREFIX: &str = "exec:";

/// The time limit for a choice, in seconds, if the name of the bot contains no limit.
const DEFAULT_SECONDS: u32 = 10;

/// The maximum time limit of a choice, in seconds.
pub(crate) const MAX_SECONDS: u32 = 3600;

/// Returns the time limit for a choice, in seconds, and the command in the name of a bot; `None` if
/// `name` does not begin with `exec:`. Checks neither of them.
pub(crate) fn split_name(name: &str) -> Option<(u32, &str)> {
    let rest = name.strip_prefix(PROGRAM_PREFIX)?;
    let limit_of = |text: &str| text.strip_suffix('s').and_then(|n| n.parse::<u32>().ok());
    let limited = rest.split_once(':').and_then(|(limit, command)| Some((limit_of(limit)?, command)));
    Some(limited.unwrap_or((DEFAULT_SECONDS, rest)))
}

/// Returns the time limit in a program's name if it is a number of seconds, but not a whole number,
/// such as `1.5s`.
pub(crate) fn fractional_limit(name: &str) -> Option<&str> {
    let (limit, _) = name.strip_prefix(PROGRAM_PREFIX)?.split_once(':')?;
    let number = limit.strip_suffix('s')?;
    (number.parse::<u32>().is_err() && number.parse::<f64>().is_ok()).then_some(limit)
}
