//! The award that `score_value` and `score_total` receive, and the terms that they may submit.

use rules::{ReadSet, Refusal, TermKind, UnfinishedAward};

use super::builder::{Api, doc};
use crate::core::Cx;
use crate::params::VisibleText;
use crate::types::Score;

pub(super) fn add(api: &mut Api) {
    api.topic("Awards in the making");
    api.reads(ReadSet::NOTHING).get(
        "player",
        "The player who receives the points.",
        "score.player",
        |cx: &mut Cx, _score: Score| Ok(unfinished_award(cx)?.player),
    );
    api.reads(ReadSet::NOTHING).get(
        "is_final",
        "True if the feature is scored by the rules of the final count: at the end, or because a script asks for its value at the end.",
        "if score.is_final { return; }",
        |cx: &mut Cx, _score: Score| Ok(unfinished_award(cx)?.is_final),
    );
    api.reads(ReadSet::NOTHING).get(
        "is_complete",
        "True if the feature is complete.",
        "score.is_complete",
        |cx: &mut Cx, _score: Score| Ok(unfinished_award(cx)?.is_complete),
    );
    api.reads(ReadSet::NOTHING).get(
        "so_far",
        "The award after the `score_value` of all mods and the `score_total` of earlier mods. Only `score_total` can read this number.",
        "if score.so_far > 12 { score.replace(12, \"never more than twelve\"); }",
        |cx: &mut Cx, _score: Score| {
            let unknown = "`so_far` is known only after the `score_value` of all mods: read it in `score_total(feature, score)`";
            unfinished_award(cx)?.so_far.ok_or_else(|| unknown.into())
        },
    );
    api.get("feature", "The scored feature.", "score.feature", |cx: &mut Cx, _score: Score| {
        Ok(unfinished_award(cx)?.feature)
    });
    macro_rules! terms {
        ($($name:literal |$points:ident| $amount:expr, $kind:ident $about:literal $example:literal;)*) => {
            $(api.reads(ReadSet::NOTHING).term(
                $name,
                doc("score, points, reason", $about, $example),
                |cx: &mut Cx, score: Score, points: i64, reason: VisibleText| {
                    let $points = super::effects::check_points(points)?;
                    cx.call.submit(TermKind::$kind, $amount, &reason.0)?;
                    Ok(score)
                },
            );)*
        };
    }
    terms! {
        "plus" |points| points, Add "Adds points to the award." "score.plus(feature.n_tiles, \"a mill\");";
        "minus" |points| -points, Add "Takes points off the award." "score.minus(2, \"a wolf\");";
        "replace" |points| points, Replace "Pays these points instead of the value in the manifest." "score.replace(3 * feature.n_tiles, \"a tower\");";
    }
    macro_rules! plain_terms {
        ($($name:literal $kind:ident $about:literal $example:literal;)*) => {
            $(api.reads(ReadSet::NOTHING).term(
                $name,
                doc("score, reason", $about, $example),
                |cx: &mut Cx, score: Score, reason: VisibleText| {
                    cx.call.submit(TermKind::$kind, 0, &reason.0)?;
                    Ok(score)
                },
            );)*
        };
    }
    plain_terms! {
        "zero" Zero "Pays nothing instead of the value in the manifest." "score.zero(\"not finished\");";
        "double" Double "Doubles the award, after all additions." "score.double(\"a festival\");";
        "halve" Halve "Halves the award, rounded up, after everything else." "score.halve(\"a curse\");";
    }
}

fn unfinished_award(cx: &Cx) -> Result<UnfinishedAward, Refusal> {
    cx.call.unfinished_award().ok_or_else(|| "there is no award in the making here".into())
}
