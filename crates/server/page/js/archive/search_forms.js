// The forms for searching positions and players.

import { button, field, h } from '../ui/dom.js';

/** @import {SearchRequest} from '../api.js' */

const FULL_MATERIAL = 'EMHHDDCCRRRRRRRR emhhddccrrrrrrrr';

const SQUARES_HELP =
  'Tap squares on the board, or type: Ed4 a gold elephant, .c3 an empty square, Ac6 any gold piece, ac6 any silver ' +
  'piece, Oc6 and oc6 any but a rabbit, *c6 any piece.';

const TEXT_INPUT = { type: 'text', autocomplete: 'off', spellcheck: false, autocapitalize: 'off' };

/**
 * @typedef {{
 *   squaresChanged: () => void,
 *   useBoardMaterial: () => void,
 *   clear: () => void,
 *   searchPositions: () => void,
 *   searchPlayers: () => void,
 * }} SearchActions
 */

export class SearchForms {
  /** @param {SearchActions} actions */
  constructor(actions) {
    const typed = { ...TEXT_INPUT, class: 'typed' };
    const oninput = actions.squaresChanged;
    this.squares = h('input', { ...typed, id: 'squares', placeholder: 'Ed4 .c3 Ac6', oninput });
    this.material = h('input', { ...typed, id: 'material', placeholder: 'any, or all remaining pieces' });
    this.side = h(
      'select',
      { id: 'search-side', 'aria-label': 'Side to move' },
      h('option', { value: '' }, 'either side to move'),
      h('option', { value: 'g' }, 'Gold to move'),
      h('option', { value: 's' }, 'Silver to move'),
    );
    this.player = h('input', { ...TEXT_INPUT, id: 'player', placeholder: 'part of the name' });
    this.element = h('div', { class: 'stack' }, this.positionForm(actions), this.playerForm(actions));
  }

  /** @param {SearchActions} actions */
  positionForm(actions) {
    return h(
      'form',
      { class: 'stack', onsubmit: submit(actions.searchPositions) },
      field('Squares', this.squares),
      h('p', { class: 'hint' }, SQUARES_HELP),
      field('Material', this.material),
      h(
        'div',
        { class: 'row' },
        button('Use current board', actions.useBoardMaterial, { title: 'The material of the board at the side' }),
        button('All pieces', () => this.setMaterial(FULL_MATERIAL)),
        button('Clear', actions.clear),
      ),
      h('div', { class: 'row stretch' }, this.side, submitButton('Search', 'search', 'main')),
    );
  }

  /** @param {SearchActions} actions */
  playerForm(actions) {
    const onsubmit = submit(actions.searchPlayers);
    return h(
      'form',
      { class: 'stack', onsubmit },
      field('Player', this.player),
      submitButton('Find players', 'find-player'),
    );
  }

  /** @returns {SearchRequest} */
  positionQuery() {
    const side = /** @type {'g' | 's' | null} */ (this.side.value || null);
    return { squares: this.squares.value, material: this.material.value, side, limit: null };
  }

  /** @param {string} material */
  setMaterial(material) {
    this.material.value = material;
  }

  /** Fills in the search of a link. @param {URLSearchParams} query */
  restore(query) {
    this.squares.value = query.get('squares') ?? '';
    this.material.value = query.get('material') ?? '';
    this.side.value = query.get('side') ?? '';
    this.player.value = query.get('player') ?? '';
  }

  clear() {
    this.squares.value = this.material.value = this.side.value = '';
  }
}

/** @param {() => void} action */
function submit(action) {
  return (/** @type {Event} */ event) => {
    event.preventDefault();
    action();
  };
}

/** @param {string} label @param {string} id @param {string} [kind] */
function submitButton(label, id, kind = '') {
  return h('button', { type: 'submit', class: `button ${kind}`, id }, label);
}
