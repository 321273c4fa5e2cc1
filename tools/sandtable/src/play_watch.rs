//! `sandtable play --terminal --watch`: the game is played again under its rules whenever a file of it changes.

use crate::blame::{self, Extra, Suspect};
use crate::blame_values::Changed;
use crate::load::{self, Loaded};
use crate::play::Table;
use crate::{blame_scripts, divergence, out, store, terminal, terminal_look, watch};
use sandtable_script::Touched;
use sandtable_session::{Game, Record, Session};
use std::rc::Rc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};

/// Changes of the rules that are shown when files are saved.
const MOST: usize = 8;

impl Table<'_> {
    /// Waits for a line and meanwhile for changed files. Nothing when no more lines come.
    pub fn wait(&mut self, lines: &Receiver<String>) -> Option<String> {
        loop {
            match lines.recv_timeout(watch::POLL_INTERVAL) {
                Ok(line) => {
                    self.reload();
                    return Some(line);
                }
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => {
                    if self.reload() {
                        put!("> ");
                        out::flush();
                    }
                }
            }
        }
    }

    /// Loads changed files and plays the game again under them. True if something was said.
    fn reload(&mut self) -> bool {
        if self.watch.changed().is_empty() {
            return false;
        }
        if let Err(error) = watch::guarded(|| self.adopt()) {
            outln!("{error}\nthe game goes on as it was");
        }
        true
    }

    /// Plays the game again under the files as they are now; it goes on as it was if they are not sound.
    fn adopt(&mut self) {
        let record = self.session.record();
        outln!("\nfiles have changed");
        let (rules, game) =
            match self.loaded(&Extra::default()).and_then(|rules| Ok((load::game(&rules)?, rules))) {
                Ok((game, rules)) => (rules, game),
                Err(error) => return outln!("{error}\nthe game goes on as it was"),
            };
        let changed = Changed::between(&self.rules.catalog, &rules.catalog);
        let mut lines = changed.lines();
        let scripts = blame_scripts::suspects(&self.rules, &rules, &game);
        lines.extend(scripts.iter().map(|suspect| suspect.text.clone()));
        lines.iter().take(MOST).for_each(|line| outln!("  {line}"));
        if lines.len() > MOST {
            outln!("  … and {} more changes", lines.len() - MOST);
        }
        *game.host.cx().touched.borrow_mut() = Some(Touched::default());
        match Session::from_record(&game, &record, None) {
            Err(error) => outln!("{error}\nthe game goes on as it was"),
            Ok(replayed) if replayed.parted.is_some() => {
                divergence::report(&replayed).iter().for_each(|line| outln!("{line}"));
                let choice = replayed.parted.as_ref().map_or(0, |parted| parted.choice);
                let suspects = scripts.iter().cloned().chain(changed.read(&game)).collect();
                self.blame(&record, &rules, suspects, choice);
                outln!("the game goes on under the rules it had");
            }
            Ok(mut replayed) => {
                let before = terminal_look::facts(&mut self.session);
                let after = terminal_look::facts(&mut replayed.session);
                let different = terminal_look::differences(&before, &after);
                divergence::report(&replayed).iter().for_each(|line| outln!("{line}"));
                different.iter().take(20).for_each(|line| outln!("  {line}"));
                if different.len() > 20 {
                    outln!("  … and {} more", different.len() - 20);
                }
                if different.is_empty() {
                    outln!("the position is the same under the new rules");
                }
                if let Some(choice) = replayed.differs {
                    let suspects = scripts.iter().cloned().chain(changed.read(&game)).collect();
                    self.blame(&record, &rules, suspects, choice);
                }
                self.session = replayed.session;
                self.rules = rules;
                self.shown = self.session.play().changes.len();
                put!("{}", terminal::asked(&mut self.session));
            }
        }
    }

    /// Says which of the changed values is to blame that the game goes another way.
    fn blame(&self, record: &Record, rules: &Loaded, suspects: Vec<Suspect>, choice: usize) {
        let by = blame::responsible(record, rules, suspects, choice, &|extra| self.loaded(extra));
        if !by.is_empty() {
            outln!("by {}", by.join("; "));
        }
    }

    fn loaded(&self, extra: &Extra) -> Result<Loaded, String> {
        let game: &Rc<Game> = self.session.game();
        let scenario = game.definition.scenario.id.clone();
        let record = game.head(0);
        let with = store::with(
            &record,
            &crate::args::WithArgs { path: self.args.with.path.clone(), ..Default::default() },
        );
        // Layers given by path are found by path again.
        let mut with = with;
        if self.args.load.is_none() {
            with.layer.clone_from(&self.args.with.layer);
        }
        with.set.extend(extra.set.clone());
        with.option.extend(extra.option.clone());
        load::load_as(&game.definition.id, Some(&scenario), &with)
    }
}
