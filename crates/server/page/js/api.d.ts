// Written by the test `the_page_knows_the_types_of_the_api`; not to be edited.

export type Origin = { 
/**
 * 64 characters, a8 to h1, a space for an empty square.
 */
board: string, 
/**
 * The turn that comes first: `2g`.
 */
tag: string, };

export type Line = { 
/**
 * The empty board and `1g` if there is none.
 */
origin: Origin | null, 
/**
 * official, classic2004 or classic2005; official if empty.
 */
rules: string, 
/**
 * Each as in a record, without its tag.
 */
turns: Array<string>, 
/**
 * Steps of the turn that runs, also in the short form `Ha2nnn`.
 */
steps: string, };

export type LegalAction = { 
/**
 * What it is; a push or pull that is half done is finished by a single step.
 */
kind: 'step' | 'push' | 'pull', 
/**
 * In order: `Ed2n`.
 */
steps: Array<string>, 
/**
 * What dies in a trap by it: `Rf3`.
 */
captures: Array<string>, };

export type Way = { 
/**
 * The square it stands on.
 */
from: string, 
/**
 * The square it comes to.
 */
to: string, 
/**
 * The directions, one letter each: `nne`.
 */
path: string, 
/**
 * Own pieces that die in a trap on the way: `Rf3`.
 */
loses: Array<string>, };

export type Stuck = { 
/**
 * Where it stands.
 */
square: string, 
/**
 * A sentence.
 */
why: string, };

export type End = { 
/**
 * g or s; nobody in a draw of old times.
 */
winner: 'g' | 's' | null, 
/**
 * goal, elimination, …: in words.
 */
reason: string, 
/**
 * The letter of the official archive.
 */
letter: string, };

export type View = { 
/**
 * 64 characters, a8 to h1, a space for an empty square.
 */
board: string, 
/**
 * The side to set up or to move.
 */
side: 'g' | 's', 
/**
 * The turn that runs: `8s`.
 */
tag: string, 
/**
 * What is to be done.
 */
phase: 'setup' | 'play' | 'over', 
/**
 * The steps taken in this turn, with the captures they caused: `Ed2n rc3x`.
 */
running: string, 
/**
 * How many steps are left.
 */
steps_left: number, 
/**
 * All steps, pushes and pulls.
 */
actions: Array<LegalAction>, 
/**
 * How far each piece comes by itself.
 */
ways: Array<Way>, 
/**
 * The square that a piece must enter to finish a push.
 */
push_to: string | null, 
/**
 * The square that a weaker enemy may be pulled to.
 */
pull_to: string | null, 
/**
 * Pieces of either side that can't be moved.
 */
stuck: Array<Stuck>, 
/**
 * The squares of frozen pieces of both sides.
 */
frozen: Array<string>, 
/**
 * Whether the turn may end here.
 */
may_end: boolean, 
/**
 * If it may not, why.
 */
cannot_end: string | null, 
/**
 * How the game ended.
 */
end: End | null, };

export type Player = { "kind": "person", 
/**
 * What to call them; may be empty.
 */
name: string, } | { "kind": "engine", 
/**
 * `alphabeta` or `alphabeta:level=3`.
 */
name: string, 
/**
 * Thinking time for a turn in a game without clocks.
 */
seconds: number, };

export type Handicaps = { 
/**
 * Gold's missing pieces.
 */
gold: string, 
/**
 * Silver's missing pieces.
 */
silver: string, };

export type NewGame = { 
/**
 * Who plays gold.
 */
gold: Player, 
/**
 * Who plays silver.
 */
silver: Player, 
/**
 * A time control such as `2m/2m/100/10m/8h`, or nothing for a game without clocks.
 */
control: string | null, 
/**
 * Missing pieces.
 */
handicap: Handicaps, 
/**
 * A position to begin with instead of the setups.
 */
origin: Origin | null, };

export type TurnState = { 
/**
 * `2g`
 */
tag: string, 
/**
 * Placements or steps, with captures.
 */
text: string, 
/**
 * How long it took.
 */
used_ms: number, };

export type ClockState = { 
/**
 * The control in the modern form.
 */
control: string, 
/**
 * What gold has in reserve.
 */
gold_ms: number, 
/**
 * What silver has in reserve.
 */
silver_ms: number, 
/**
 * What the running turn may take before the reserve is touched.
 */
per_turn_ms: number, 
/**
 * What it has taken so far.
 */
used_ms: number, 
/**
 * The most that it may take.
 */
available_ms: number, 
/**
 * Whether time runs now.
 */
running: boolean, };

export type GameState = { 
/**
 * Its name here.
 */
id: string, 
/**
 * Counts the changes, so that an older state is never shown over a newer one.
 */
change: number, 
/**
 * What was agreed.
 */
terms: NewGame, 
/**
 * Where it began.
 */
origin: Origin, 
/**
 * The finished turns.
 */
turns: Array<TurnState>, 
/**
 * How many undone steps can be taken again.
 */
redo: number, 
/**
 * The position with all that can be done.
 */
view: View, 
/**
 * The captured pieces, in the order of their strength.
 */
captured: string, 
/**
 * None in a game without.
 */
clock: ClockState | null, 
/**
 * Whether an engine is to play now.
 */
engine_to_play: boolean, 
/**
 * Milliseconds since 1970.
 */
created: number, };

export type GameSummary = { 
/**
 * Its name here.
 */
id: string, 
/**
 * Who plays gold.
 */
gold: Player, 
/**
 * Who plays silver.
 */
silver: Player, 
/**
 * The board as it stands.
 */
board: string, 
/**
 * The turn that runs.
 */
tag: string, 
/**
 * How it ended, if it has.
 */
end: End | null, 
/**
 * Milliseconds since 1970.
 */
created: number, 
/**
 * When it last changed.
 */
changed: number, };

export type UnreadableGame = { 
/**
 * Its name here.
 */
id: string, 
/**
 * Milliseconds since 1970.
 */
created: number, 
/**
 * When it last changed.
 */
changed: number, 
/**
 * Why it cannot be read.
 */
reason: string, };

export type ListedGame = { "is": "game" } & GameSummary | { "is": "unreadable" } & UnreadableGame;

export type Games = { 
/**
 * At most as many as were asked for.
 */
games: Array<ListedGame>, 
/**
 * How many there are.
 */
total: number, };

export type EngineOption = { 
/**
 * Its name.
 */
name: string, 
/**
 * What it does.
 */
help: string, 
/**
 * Its value if nobody sets it.
 */
default: string, 
/**
 * What it takes.
 */
kind: 'whole' | 'real' | 'switch' | 'choice', 
/**
 * The least number.
 */
low: number | null, 
/**
 * The greatest number that the board allows.
 */
high: number | null, 
/**
 * The words of a choice.
 */
words: Array<string>, };

export type EngineAbout = { 
/**
 * Its name.
 */
name: string, 
/**
 * A sentence about it.
 */
about: string, 
/**
 * Whether a thinking time means something to it.
 */
timed: boolean, 
/**
 * What can be set.
 */
options: Array<EngineOption>, };

export type NamedSetup = { 
/**
 * What people call it.
 */
name: string, 
/**
 * The row towards the enemy.
 */
front: string, 
/**
 * The row behind.
 */
back: string, };

export type NamedControl = { 
/**
 * What it is good for.
 */
name: string, 
/**
 * `2m/2m/100/10m/8h`
 */
control: string, };

export type About = { 
/**
 * Of the program.
 */
version: string, 
/**
 * The opponent where nobody names one.
 */
engine: string, 
/**
 * All engines.
 */
engines: Array<EngineAbout>, 
/**
 * Setups to begin with.
 */
setups: Array<NamedSetup>, 
/**
 * The gameroom's usual time controls.
 */
controls: Array<NamedControl>, 
/**
 * Whether games can only be looked at, not started, played or deleted.
 */
read_only: boolean, };

export type Served = { 
/**
 * Connected clients.
 */
clients: number, 
/**
 * Games that somebody watches.
 */
games: number, 
/**
 * Engines that think.
 */
thinking: number, };

export type Problem = { 
/**
 * A sentence.
 */
error: string, };

export type ReadRequest = { 
/**
 * In any known form.
 */
text: string, };

export type TreeNode = { 
/**
 * The index of the turn before; nothing for the first turns.
 */
parent: number | null, 
/**
 * `2g`
 */
tag: string, 
/**
 * Placements or steps, with captures.
 */
text: string, 
/**
 * How long it took, if that is known.
 */
used_ms: number | null, 
/**
 * What somebody wrote about it.
 */
comment: string, 
/**
 * `!`, `?!` and so on.
 */
mark: string, 
/**
 * Arrows and circles: `g:e2e5`, `r:c3`.
 */
shapes: Array<string>, };

export type ReadGame = { 
/**
 * What to call it.
 */
title: string, 
/**
 * Who played gold.
 */
gold: string, 
/**
 * Who played silver.
 */
silver: string, 
/**
 * The rules it was played by.
 */
rules: string, 
/**
 * Where it begins.
 */
origin: Origin, 
/**
 * The turns; among those of one parent the first is the main one.
 */
nodes: Array<TreeNode>, 
/**
 * How it ended, as the text tells.
 */
end: End | null, 
/**
 * Where the text could not be followed further, and why.
 */
problem: string | null, };

export type Reading = { 
/**
 * The games, or one without turns for a position.
 */
games: Array<ReadGame>, };

export type Track = { 
/**
 * The letter of the piece.
 */
piece: string, 
/**
 * What it is there for; whatever attacks and is attacked is drawn straight, the rest in arcs.
 */
role: 'attack' | 'victim' | 'intercept' | 'support', 
/**
 * The squares, the first where the piece stands.
 */
path: Array<string>, 
/**
 * How much time there is for reaching the last square, in steps.
 */
time: number, };

export type Remark = { 
/**
 * What it is about.
 */
topic: 'goal' | 'capture' | 'loss' | 'defence' | 'threat' | 'run' | 'nothing', 
/**
 * Whose plan it tells of.
 */
side: 'g' | 's', 
/**
 * The sentence.
 */
text: string, 
/**
 * The line that shows it, replayed by the rules; with captures.
 */
line: string | null, 
/**
 * Its zone.
 */
zone: Array<Track>, 
/**
 * The board that zone and line belong to: 64 characters, a8 to h1.
 */
board: string, };

export type Why = { 
/**
 * The tag of the last turn, if there is one that can be explained.
 */
tag: string | null, 
/**
 * What that turn is good for.
 */
turn: Array<Remark>, 
/**
 * What either side could do with a full turn now, and rabbits near their goal.
 */
position: Array<Remark>, };

export type ArchiveFilters = { 
/**
 * Both players are rated so high or higher.
 */
min_rating: number | null, 
/**
 * Both players are rated so high or lower.
 */
max_rating: number | null, 
/**
 * Who plays: two people, two programs, or one of each.
 */
players: 'any' | 'humans' | 'bots' | 'mixed', 
/**
 * The event's name has this in it.
 */
event: string | null, 
/**
 * One of the players has this name.
 */
player: string | null, 
/**
 * Begun in this year or later.
 */
from_year: number | null, 
/**
 * Begun in this year or earlier.
 */
to_year: number | null, 
/**
 * Who won, in the colours of the position that is asked for.
 */
outcome: 'gold' | 'silver' | 'none' | null, 
/**
 * Only the position itself, not its mirror image or the one with the sides exchanged.
 */
no_symmetry: boolean, };

export type ExploreRequest = { 
/**
 * The way there.
 */
line: Line, 
/**
 * Which games count.
 */
filters: ArchiveFilters, 
/**
 * So many turns at most; 30 if nothing is said, never more than 200.
 */
most: number | null, };

export type Explored = { 
/**
 * The turn that was asked for: `2g`.
 */
tag: string, 
/**
 * How many games went through the position.
 */
games: number, 
/**
 * How many of them gold won.
 */
gold: number, 
/**
 * How many of them silver won.
 */
silver: number, 
/**
 * How many different turns were played.
 */
distinct: number, 
/**
 * The turns or setups, those of the most games first.
 */
turns: Array<ExploredTurn>, 
/**
 * Some of the games.
 */
samples: Array<ArchivedGame>, };

export type ExploredTurn = { 
/**
 * Placements or steps, with captures; other wordings of the same board are counted with it.
 */
text: string, 
/**
 * What a setup is called.
 */
name: string | null, 
/**
 * How many games.
 */
games: number, 
/**
 * How many of them gold won.
 */
gold: number, 
/**
 * How many of them silver won.
 */
silver: number, 
/**
 * The average rating of those who played it and have one.
 */
rating: number | null, 
/**
 * The year in which it was played last.
 */
last_year: number | null, };

export type ArchivedGame = { 
/**
 * Its number here.
 */
id: number, 
/**
 * The turn that the position which was asked for comes before: `5s`.
 */
before: string | null, 
/**
 * Who played gold.
 */
gold: string, 
/**
 * Who played silver.
 */
silver: string, 
/**
 * Gold's rating.
 */
gold_rating: number | null, 
/**
 * Silver's rating.
 */
silver_rating: number | null, 
/**
 * Where it was played.
 */
event: string, 
/**
 * When it began.
 */
year: number | null, 
/**
 * g, s, or nothing where nobody won or nobody knows.
 */
winner: 'g' | 's' | null, 
/**
 * How it ended, in words; empty if nobody knows.
 */
reason: string, 
/**
 * How many turns of both sides, setups included.
 */
turns: number, };

export type Setups = { 
/**
 * Whose they are.
 */
side: 'g' | 's', 
/**
 * How many games there are in all.
 */
games: number, 
/**
 * Those of the most games first.
 */
setups: Array<SetupScore>, };

export type SetupScore = { 
/**
 * The row towards the enemy, from file a on; a dot is an empty square.
 */
front: string, 
/**
 * The row behind.
 */
back: string, 
/**
 * What it is called.
 */
name: string | null, 
/**
 * How many games.
 */
games: number, 
/**
 * Of all games, in percent.
 */
share: number, 
/**
 * Games that its side won of those that somebody won, in percent.
 */
score: number | null, 
/**
 * The average rating of those who chose it and have one.
 */
rating: number | null, };

export type SearchRequest = { 
/**
 * `Ed4 .c3 Ac6`: a piece, nothing, any gold piece; `a` any silver one, `O` and `o` any but a rabbit, `*` any piece.
 */
squares: string, 
/**
 * All pieces that are left: `EMHHDDCCRRRRRRRR emhhddccrrrrrrr`; any if empty.
 */
material: string, 
/**
 * Who is to play; either if nothing is said.
 */
side: 'g' | 's' | null, 
/**
 * So many games at most; 30 if nothing is said, never more than 200.
 */
most: number | null, };

export type FoundGames = { 
/**
 * At most as many as were asked for.
 */
games: Array<ArchivedGame>, 
/**
 * Whether all of the archive was looked at.
 */
whole: boolean, };

export type ArchivePlayer = { 
/**
 * The name.
 */
name: string, 
/**
 * How many games there are.
 */
games: number, 
/**
 * How many of them the player won.
 */
won: number, 
/**
 * The highest rating before a game.
 */
best_rating: number | null, };

export type ArchivePlayers = { 
/**
 * Those with the most games first.
 */
players: Array<ArchivePlayer>, };

export type ArchiveState = { 
/**
 * Whether questions are answered.
 */
ready: boolean, 
/**
 * If not, what to do about it.
 */
help: string | null, };

export type Ask = { 
/**
 * Comes back with the answer.
 */
id: number, 
/**
 * What to do.
 */
command: Command, };

export type Command = { "do": "watch", 
/**
 * The game.
 */
game: string, } | { "do": "leave", 
/**
 * The game.
 */
game: string, } | { "do": "setup", 
/**
 * The game.
 */
game: string, 
/**
 * Sixteen placements.
 */
text: string, } | { "do": "steps", 
/**
 * The game.
 */
game: string, 
/**
 * `Ed2n Ed3n`, or `Ed2nn`.
 */
text: string, } | { "do": "undo", 
/**
 * The game.
 */
game: string, } | { "do": "redo", 
/**
 * The game.
 */
game: string, } | { "do": "end", 
/**
 * The game.
 */
game: string, } | { "do": "takeback", 
/**
 * The game.
 */
game: string, } | { "do": "resign", 
/**
 * The game.
 */
game: string, } | { "do": "look", 
/**
 * The line.
 */
line: Line, };

export type Tell = { "is": "game", 
/**
 * All of it.
 */
game: GameState, } | { "is": "view", 
/**
 * Of the question.
 */
id: number, 
/**
 * The position.
 */
view: View, } | { "is": "done", 
/**
 * Of the command.
 */
id: number, } | { "is": "refused", 
/**
 * Of the command.
 */
id: number, 
/**
 * Why, in a sentence.
 */
error: string, } | { "is": "trouble", 
/**
 * The game.
 */
game: string, 
/**
 * Why, in a sentence.
 */
error: string, } | { "is": "gone", 
/**
 * The game.
 */
game: string, };
