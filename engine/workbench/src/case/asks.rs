//! What cases say of decisions: answers, options, refusals.

use super::run::Run;
use sandtable_script::{Decision, Offered, Opt};
use sandtable_session::{SessionError, names};

impl Run {
    /// What is asked now, in words.
    pub(super) fn asked(&mut self) -> String {
        let pending: Vec<_> = self.session.decisions().to_vec();
        if pending.is_empty() {
            return "nothing is asked".into();
        }
        let texts: Vec<String> = self.session.look(|host| {
            let cx = host.cx();
            pending
                .iter()
                .map(|decision| {
                    let options: Vec<String> = match &decision.offered {
                        Offered::List(options) => {
                            options.iter().map(|opt| names::plain_option(cx, *opt)).collect()
                        }
                        Offered::Selection { values, bounds, .. } => {
                            let mut names: Vec<String> = values.iter().map(|&val| cx.name(val)).collect();
                            names.insert(0, format!("[{} to {} of]", bounds.min, bounds.max));
                            names
                        }
                    };
                    format!(
                        "{} is asked {}: {}",
                        cx.text(cx.side_sym(decision.side)),
                        cx.text(decision.prompt),
                        options.join(", ")
                    )
                })
                .collect()
        });
        texts.join("; ")
    }

    /// The pending decision of a side.
    pub(super) fn decision(&mut self, side: &str) -> Result<usize, String> {
        let world = self.session.game().definition.world.clone();
        let Some(wanted) = world.find_side(side) else { return Err(format!("there is no side `{side}`")) };
        match self.session.decisions().iter().position(|decision| decision.side == wanted) {
            Some(at) => Ok(at),
            None => Err(format!("{side} is not asked; {}", self.asked())),
        }
    }

    pub(super) fn answer(&mut self, side: &str, text: &str) -> Result<(), String> {
        let at = self.decision(side)?;
        let prompt = self.session.decisions()[at].prompt;
        let prompt = self.session.look(|host| host.cx().text(prompt));
        let text = match text.strip_prefix(prompt.as_str()) {
            Some(rest) if rest.is_empty() || rest.starts_with(char::is_whitespace) => rest.trim(),
            _ => text,
        };
        match self.session.answer_text(at, text) {
            Ok(()) => Ok(()),
            Err(error @ SessionError::Answer(_)) => Err(format!("{error}; {}", self.asked())),
            Err(error) => Err(error.to_string()),
        }
    }

    pub(super) fn options(&mut self, side: &str, wanted: &[String], open: bool) -> Result<(), String> {
        let at = self.decision(side)?;
        let found = self.options_of(at);
        let offered = |name: &String| found.iter().any(|(plain, exact)| plain == name || exact == name);
        let missing: Vec<&String> = wanted.iter().filter(|name| !offered(name)).collect();
        let extra: Vec<&String> = found
            .iter()
            .filter(|(plain, exact)| !wanted.iter().any(|name| name == plain || name == exact))
            .map(|(plain, _)| plain)
            .collect();
        if !missing.is_empty() || (!open && !extra.is_empty()) {
            let list =
                |names: &[&String]| names.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(", ");
            let mut text = String::from("the options differ");
            if !missing.is_empty() {
                text.push_str(&format!("; not offered: {}", list(&missing)));
            }
            if !open && !extra.is_empty() {
                text.push_str(&format!("; offered too: {}", list(&extra)));
            }
            return Err(text);
        }
        Ok(())
    }

    pub(super) fn refused(&mut self, side: &str, option: &str, rule: &str) -> Result<(), String> {
        let at = self.decision(side)?;
        let decision = self.session.decisions()[at].clone();
        let opt = self.considered(&decision, option);
        let legal = match (&decision.offered, opt) {
            (Offered::List(options), Some(opt)) => options.contains(&opt),
            (Offered::Selection { values, .. }, Some(opt)) => values.contains(&opt.val),
            (_, None) if rule == "-" => return Ok(()),
            (_, None) => return Err(format!("`{option}` is not even considered here; {}", self.asked())),
        };
        if legal {
            return Err(format!("`{option}` is legal"));
        }
        if rule == "-" {
            return Ok(());
        }
        let ids = self.refusing(side, option)?;
        if ids.iter().any(|id| id == rule) {
            Ok(())
        } else {
            Err(format!("refused by {}, not by {rule}", ids.join(", ")))
        }
    }

    /// The option of that name among all that the decision is about, legal or not.
    fn considered(&mut self, decision: &Decision, option: &str) -> Option<Opt> {
        self.session.look(|host| {
            let cx = host.cx();
            let fits = |opt: &Opt| {
                names::plain_option(cx, *opt) == option || names::exact_option(cx, *opt) == option
            };
            decision.candidates.iter().copied().find(fits)
        })
    }

    /// The ids of the rules that refuse an option.
    pub(super) fn refusing(&mut self, side: &str, option: &str) -> Result<Vec<String>, String> {
        let at = self.decision(side)?;
        let decision = self.session.decisions()[at].clone();
        let Some(opt) = self.considered(&decision, option) else { return Ok(Vec::new()) };
        let reasons = self.session.why(at, opt).map_err(|error| error.to_string())?;
        Ok(self.session.look(|host| {
            let registry = host.cx().registry.borrow();
            reasons
                .iter()
                .filter_map(|reason| registry.handlers.get(reason.handler as usize))
                .map(|handler| handler.id.clone())
                .collect()
        }))
    }

    /// The options of a decision as people and as records write them.
    pub(super) fn options_of(&mut self, at: usize) -> Vec<(String, String)> {
        let decision = self.session.decisions()[at].clone();
        self.session.look(|host| {
            let cx = host.cx();
            match &decision.offered {
                Offered::List(options) => options
                    .iter()
                    .map(|opt| (names::plain_option(cx, *opt), names::exact_option(cx, *opt)))
                    .collect(),
                Offered::Selection { values, .. } => {
                    values.iter().map(|&val| (cx.name(val), cx.name(val))).collect()
                }
            }
        })
    }
}
