//! `bastide sim --what-matters`: what each part of the rules changes.

use std::io::{self, Write};

use diagnostic::Diagnostic;
use serde_json::json;
use sim::{Effect, Matters, RulePart, what_matters};

use crate::commands::sim::{Args, Table, progress, progress_bar};
use crate::context::{Context, Done, Outcome};
use crate::terminal::Terminal;

pub fn run(context: &mut Context, args: &Args) -> Done {
    let Table { loaded, plan } = args.table(context)?;
    let bar = progress_bar(1, "parts");
    let found = what_matters(&*loaded, &plan, &mut |n, of| progress(&bar, n, of));
    bar.finish_and_clear();
    let found = found.map_err(|m| Diagnostic::without_place(m.to_string()))?;
    let mut out = context.terminal.out_as(args.json);
    if args.json {
        let effects = found.effects.iter().map(|it| {
            json!({
                "part": name_of(&it.part), "games": it.n_pairs, "other_scores": it.n_changed, "other_winners": it.n_other_winners,
                "points": it.points, "calls": it.calls, "faults": it.n_faults, "matters": it.matters(),
            })
        });
        let clashes = found
            .clashes
            .iter()
            .map(|it| json!({ "mods": it.mods, "game": it.game, "what": it.what, "record": it.record }));
        let value = json!({
            "games": found.n_games, "parts": effects.collect::<Vec<_>>(), "unlaid": found.unlaid,
            "clashes": clashes.collect::<Vec<_>>(),
        });
        writeln!(out, "{value}")?;
    } else {
        write(&context.terminal, &mut out, &found)?;
    }
    out.flush()?;
    Ok(Outcome::Fine)
}

fn name_of(part: &RulePart) -> String {
    match part {
        RulePart::Function { owner, name } => format!("{owner}: {name}"),
        RulePart::Tag(tag) => format!("tag {tag}"),
    }
}

fn write(terminal: &Terminal, out: &mut impl Write, found: &Matters) -> io::Result<()> {
    let (matter, idle): (Vec<&Effect>, Vec<&Effect>) = found.effects.iter().partition(|it| it.matters());
    if !matter.is_empty() {
        let heads = ["calls a game", "other scores", "other winners", "points"];
        let [calls, scores, winners, points] = heads;
        let head = format!("{:<44} {calls:>12} {scores:>13} {winners:>14} {points:>8}", "with it instead of without");
        writeln!(out, "{}", terminal.bold(head))?;
    }
    for it in matter {
        let calls = it.calls.map_or_else(String::new, |calls| format!("{calls:.2}"));
        let share = |n: u64| format!("{:.1}%", 100.0 * n as f64 / it.n_pairs.max(1) as f64);
        let (scores, winners) = (share(it.n_changed), share(it.n_other_winners));
        writeln!(out, "{:<44} {calls:>12} {scores:>13} {winners:>14} {:>+8.2}", name_of(&it.part), it.points)?;
        if it.n_faults > 0 {
            writeln!(out, "  without it {} games do not come to their end", it.n_faults)?;
        }
    }
    let never = format!("Never changed a result in {} games:", found.n_games);
    if idle.is_empty() && found.unlaid.is_empty() {
        writeln!(out, "\nEverything has changed a result in {} games.", found.n_games)?;
    } else {
        writeln!(out, "\n{}", terminal.bold(never))?;
    }
    for it in idle {
        let why = match it.calls {
            Some(0.0) => "never called",
            _ => "the same scores without it",
        };
        writeln!(out, "  {} ({why})", name_of(&it.part))?;
    }
    for tile in &found.unlaid {
        writeln!(out, "  tile {tile} (never laid)")?;
    }
    for clash in &found.clashes {
        let [first, second] = &clash.mods;
        let heading = format!("The order of {first} and {second} matters");
        writeln!(out, "\n{}: in game {} {}.", terminal.bad(heading), clash.game, clash.what)?;
        writeln!(out, "Its record:\n\n{}", clash.record)?;
    }
    Ok(())
}
