// What stands beside the board of a review.

import { compactOf, shiftsOf, shortened, sideName } from '../model/notation.js';
import { dialog, toast } from '../ui/dialog.js';
import { button, fill, h } from '../ui/dom.js';
import { copy, save } from './files.js';
import { turnList } from './list.js';
import { openDialog } from './open.js';
import { pictureText, pixels } from './picture.js';
import { shapeOf } from './shapes.js';

/** @import {PositionView} from '../api.js' */
/** @import {Review} from './page.js' */

export class ReviewPanel {
  /** @param {Review} review */
  constructor(review) {
    this.review = review;
    this.title = h('h1', { class: 'status' });
    this.words = h('p', { class: 'note', 'aria-live': 'polite' });
    this.turns = h('ol', { class: 'turns tree', 'aria-label': 'Turns' });
    /** @param {string} label @param {string} icon @param {() => void} act */
    const walk = (label, icon, act) => button(label, act, { icon, hideLabel: true });
    this.play = button('Replay', () => review.replay.toggle(), { icon: 'play', hideLabel: true, title: 'Replay at the recorded times (Space)' });
    this.walker = h('div', { class: 'controls walk' },
      walk('To the start (↑)', 'first', () => review.toStart()), walk('Back (←)', 'back', () => review.back()), this.play,
      walk('Forward (→)', 'next', () => review.forward()), walk('To the end (↓)', 'last', () => review.toEnd()));
    this.undo = button('Undo', () => review.undo(), { icon: 'undo' });
    this.end = button('End turn', () => review.end(), { icon: 'end', kind: 'main', title: 'Enter' });
    this.end.id = 'end-turn';
    this.trial = h('div', { class: 'controls trial' }, this.undo, this.end);
    this.input = h('input', { type: 'text', id: 'typed', class: 'typed', placeholder: 'Try steps: Ee2n, Ha2nnn', autocomplete: 'off', spellcheck: false, autocapitalize: 'off', 'aria-label': 'Type steps to try' });
    this.input.addEventListener('keydown', async (event) => {
      if (event.key === 'Escape') this.input.blur();
      if (event.key !== 'Enter') return;
      event.preventDefault();
      const text = this.input.value.trim();
      this.input.value = '';
      if (text === '') review.end();
      else if (!(await review.try(text)) && this.input.value === '') this.input.value = text;
    });
    this.note = h('textarea', { class: 'comment-box', rows: 2, placeholder: 'Comment on this turn', 'aria-label': 'Comment on this turn', oninput: () => review.comment(this.note.value) });
    this.note.addEventListener('keydown', (event) => event.key === 'Escape' && this.note.blur());
    this.marks = h('div', { class: 'row marks-row', role: 'group', 'aria-label': 'Mark this turn' }, ...['!', '?', '!!', '??', '!?', '?!'].map((mark) => button(mark, () => review.mark(mark), { kind: 'quiet' })));
    this.edit = h('div', { class: 'row' }, button('Promote', () => review.promote(), { icon: 'up', title: 'Make this variation the main line' }), button('Delete', () => review.remove(), { icon: 'trash', title: 'Delete this turn and what follows' }));
    this.more = h('details', { class: 'more' }, h('summary', {}, 'Comment and marks'), h('div', { class: 'stack' }, this.note, this.marks, this.edit));
    this.element = h('aside', { class: 'panel review' },
      h('div', { class: 'head' }, this.title), this.words, this.walker, this.turns, this.trial, this.input,
      review.explained.box,
      review.explorer.box,
      this.more,
      h('div', { class: 'row below' }, review.explained.button(), review.explorer.button(), button('Open', () => openDialog((game) => review.open(game)), { kind: 'main' }), button('Share', () => this.share()), button('Play on', () => this.playHere(), { title: 'Play a game from this position' })));
  }

  show() {
    const { review } = this;
    const { tree, here } = review;
    const names = tree.gold || tree.silver ? `${tree.gold || 'Gold'} – ${tree.silver || 'Silver'}` : tree.title || 'Review';
    const end = tree.end && here.children.length === 0 && here.parent ? `${tree.end.winner ? `${sideName(tree.end.winner)} won` : 'Drawn'} by ${tree.end.reason}` : '';
    this.title.textContent = end || names;
    this.title.title = `${tree.title} ${names}`.trim();
    const face = review.replay.on ? 'pause' : 'play';
    if (this.play.dataset.face !== face) {
      this.play.dataset.face = face;
      fill(this.play, button('', () => {}, { icon: face }).firstChild);
    }
    this.note.value = here.comment;
    this.note.disabled = this.edit.hidden = this.marks.hidden = !here.parent;
    for (const one of this.marks.children) one.classList.toggle('on', one.textContent === here.mark);
    this.trial.hidden = review.steps === '';
    this.list();
  }

  list() {
    const { review } = this;
    this.turns.replaceChildren(...turnList(review.tree, review.here, (node) => review.go(node)));
    if (!review.tree.root.children.length) this.turns.replaceChildren(h('li', { class: 'hint' }, 'Paste or drop a record here, open one, or play steps on the board.'));
    const here = this.turns.querySelector('.here');
    if (here) {
      const [box, row] = [this.turns.getBoundingClientRect(), here.getBoundingClientRect()];
      if (row.top < box.top || box.bottom < row.bottom) this.turns.scrollTop += row.top - box.top - box.height / 2;
    } else this.turns.scrollTop = 0;
  }

  /** What is being tried out. @param {PositionView} view */
  showTrial(view) {
    this.trial.hidden = view.turn_text === '';
    this.end.classList.toggle('ready', view.can_end_turn);
    if (view.turn_text) this.words.textContent = `${view.tag} ${shortened(view.turn_text)}`;
    else if (view.end) this.words.textContent = view.end.winner ? `${sideName(view.end.winner)} has won by ${view.end.reason}.` : `Drawn: ${view.end.reason}.`;
    else this.words.textContent = `${view.tag}: ${sideName(view.side)} ${view.phase === 'setup' ? 'sets up' : 'to play'}`;
  }

  writeComment() {
    this.more.open = true;
    this.note.focus();
  }

  /** @param {string} words */
  message(words) {
    this.words.textContent = words;
  }

  playHere() {
    const { review } = this;
    const query = new URLSearchParams({ board: compactOf(review.here.board), tag: review.tag() });
    location.hash = `#/play?${query}`;
  }

  share() {
    const { review } = this;
    const { board } = review.hands;
    const side = review.tag().slice(-1);
    const picture = () => pictureText(board.state.pieces, review.here.shapes.flatMap(shapeOf), board.state);
    const png = async () => {
      try {
        save('surus.png', await pixels(picture()));
      } catch (error) {
        toast(/** @type {Error} */ (error).message, true);
      }
    };
    const link = async () => copy(`${location.origin}/#/review?${await review.query()}`, 'Link');
    dialog('Share', [
      h('div', { class: 'grid' },
        button('Copy link to this position', link),
        button('Copy position', () => copy(`${side} [${compactOf(board.state.pieces)}]`, 'Position')),
        button('Copy record', () => copy(review.tree.record(), 'Record')),
        button('Copy record up to here', () => copy(review.tree.record(review.here), 'Record')),
        button('Save record', () => save('surus.txt', `${review.tree.record()}\n`)),
        button('Save tree with variations', () => save('surus-tree.txt', `${review.tree.write()}\n`)),
        button('Picture as SVG', () => save('surus.svg', new Blob([picture()], { type: 'image/svg+xml' }))),
        button('Picture as PNG', png),
      ),
    ]);
  }
}
