//! Queries give the same, however many of them are asked.

mod support;

use support::{game, printed};

#[test]
fn answers_survive_that_there_are_too_many_of_them() {
    let script = "
        local inner = query('inner', {}, function(n) return n + game.vp end)
        local outer = query('outer', {}, function(n) return inner(n) * 2 end)
        procedure('main', {}, function()
          for n = 1, 20000 do
            if outer(n) ~= 2 * n then print(n) end
          end
          game.vp = 1
          for n = 20000, 1, -1 do
            if outer(n) ~= 2 * n + 2 then print(-n) end
          end
          print('done')
        end)";
    let game = game(script).unwrap_or_else(|errors| panic!("{errors:?}"));
    assert_eq!(printed(&game), ["done"]);
}
