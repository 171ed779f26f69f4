//! Writes the output of `bastide sim --json`.
#![expect(clippy::indexing_slicing, reason = "an object takes any key")]

use std::io::{self, Write};

use loader::InterpretedFunction;
use rules::Failure;
use serde_json::{Value, json};
use sim::{Plan, Report, report_json};

use crate::commands::sim::text::is_same_function;

/// Returns the description of a plan as an object.
pub fn origin(description: &[(String, String)]) -> Value {
    description.iter().map(|(what, it)| (what.clone(), json!(it))).collect()
}

/// Writes the report of a simulation as an object on one line.
pub fn write(
    out: &mut impl Write,
    report: &Report,
    plan: &Plan,
    description: &[(String, String)],
    level: f64,
    interpreted: &[InterpretedFunction],
) -> io::Result<()> {
    let mut value = report_json(report, level);
    value["mods"] = json!(plan.setup.mods.iter().map(|m| m.id.as_str()).collect::<Vec<_>>());
    value["seed"] = json!(plan.seed);
    value["of"] = origin(description);
    if plan.counts_calls {
        let calls = report.calls.iter().map(|c| {
            let reason = interpreted.iter().find(|it| is_same_function(it, c)).map(|it| {
                let Failure { file, line, column, message, .. } = &it.reason;
                json!({ "file": file, "line": line, "column": column, "message": message })
            });
            json!({
                "mod": c.owner, "function": c.function, "calls": c.n, "seconds": c.took.as_secs_f64(),
                "interpreted": reason, "restarted": c.n_restarted,
            })
        });
        value["calls"] = calls.collect();
    }
    writeln!(out, "{value}")
}
