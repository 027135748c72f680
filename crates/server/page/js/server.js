// The server: requests, and the one socket that stays open.

/** @import {AppInfo, ArchivePlayers, ArchiveStatus, ClientCommand, ExploreRequest, ExploreResponse, GameSearchResponse, GameState, GameList} from './api.js' */
/** @import {PlayedLine, NewGame, ParsedGame, ParseResponse, SearchRequest, SetupsResponse, ServerMessage, PositionView, Explanation} from './api.js' */

const BASE = '/api/v1';

/**
 * @param {string} path
 * @param {RequestInit} [init]
 */
async function request(path, init) {
  let response;
  try {
    response = await fetch(BASE + path, init);
  } catch {
    throw new Error('The server does not answer. Is surus still running?');
  }
  if (response.ok) return response;
  const problem = await response.json().catch(() => ({ error: response.statusText }));
  throw new Error(problem.error);
}

/** @param {string} path @param {unknown} body */
async function post(path, body) {
  const headers = { 'content-type': 'application/json' };
  return (await request(path, { method: 'POST', headers, body: JSON.stringify(body) })).json();
}

/** @type {Promise<AppInfo> | null} */
let known = null;

/** @returns {Promise<AppInfo>} */
export function about() {
  known ??= request('/info').then((response) => response.json());
  known.catch(() => (known = null));
  return known;
}

/** @param {NewGame} terms @returns {Promise<GameState>} */
export const beginGame = (terms) => post('/games', terms);

/** @param {string} id @returns {Promise<GameState>} */
export const gameState = async (id) => (await request(`/games/${encodeURIComponent(id)}`)).json();

/** @param {number} skip @returns {Promise<GameList>} */
export const listGames = async (skip) => (await request(`/games?limit=30&offset=${skip}`)).json();

/** @param {string} id */
export const deleteGame = (id) => request(`/games/${encodeURIComponent(id)}`, { method: 'DELETE' });

/** @param {string} id @returns {Promise<string>} */
export const gameRecord = async (id) => (await request(`/games/${encodeURIComponent(id)}/record`)).text();

/** @param {string} text @returns {Promise<ParseResponse>} */
export const readText = (text) => post('/parse', { text });

/** @param {PlayedLine} line @returns {Promise<Explanation>} */
export const explain = (line) => post('/explain', line);

/** @returns {Promise<ArchiveStatus>} */
export const archiveState = async () => (await request('/archive')).json();

/** @param {ExploreRequest} question @returns {Promise<ExploreResponse>} */
export const explore = (question) => post('/archive/explore', question);

/** @param {ExploreRequest} question @returns {Promise<SetupsResponse>} */
export const setupScores = (question) => post('/archive/setups', question);

/** @param {SearchRequest} question @returns {Promise<GameSearchResponse>} */
export const archiveSearch = (question) => post('/archive/search', question);

/** @param {string} name a part of it @returns {Promise<ArchivePlayers>} */
export const archivePlayers = async (name) => (await request(`/archive/players?name=${encodeURIComponent(name)}`)).json();

/** @param {string} name @returns {Promise<GameSearchResponse>} */
export const archiveGamesOf = async (name) => (await request(`/archive/games?limit=100&name=${encodeURIComponent(name)}`)).json();

/** @param {string} id @returns {Promise<ParsedGame>} */
export const archivedGame = async (id) => (await request(`/archive/games/${encodeURIComponent(id)}`)).json();

/** The socket; it comes back by itself, and asks for the watched game again. */
class Live {
  /** @type {WebSocket | null} */
  socket = null;
  next = 1;
  /** @type {Map<number, {done: (tell: any) => void, failed: (error: Error) => void}>} */
  waiting = new Map();
  /** @type {string | null} */
  watched = null;
  /** @type {(tell: ServerMessage) => void} */
  hear = () => {};
  /** @type {(open: boolean) => void} */
  connection = () => {};
  /** @type {Promise<void> | null} */
  opening = null;

  open() {
    if (this.socket && this.socket.readyState === WebSocket.OPEN) return Promise.resolve();
    this.opening ??= new Promise((done, failed) => {
      const socket = new WebSocket(`ws://${location.host}${BASE}/ws`);
      socket.onopen = () => {
        this.socket = socket;
        this.opening = null;
        this.connection(true);
        done();
      };
      socket.onmessage = (event) => this.take(JSON.parse(event.data));
      socket.onclose = () => {
        this.socket = null;
        this.opening = null;
        failed(new Error('The server does not answer. Is surus still running?'));
        for (const { failed } of this.waiting.values()) failed(new Error('The connection was lost.'));
        this.waiting.clear();
        this.connection(false);
        if (this.watched) setTimeout(() => this.again(), 700);
      };
    });
    return this.opening;
  }

  again() {
    const game = this.watched;
    if (game) this.watch(game).catch(() => {});
  }

  /** @param {ServerMessage} tell */
  take(tell) {
    if (tell.type === 'position' || tell.type === 'ok' || tell.type === 'error') {
      const question = this.waiting.get(tell.id);
      this.waiting.delete(tell.id);
      if (tell.type === 'error') question?.failed(new Error(tell.error));
      else question?.done(tell);
    } else this.hear(tell);
  }

  /** @param {ClientCommand} command @returns {Promise<any>} */
  async ask(command) {
    await this.open();
    const id = this.next++;
    return new Promise((done, failed) => {
      this.waiting.set(id, { done, failed });
      this.socket?.send(JSON.stringify({ id, command }));
    });
  }

  /** @param {string} game */
  watch(game) {
    this.watched = game;
    return this.ask({ type: "subscribe", game });
  }

  leave() {
    const game = this.watched;
    this.watched = null;
    if (game && this.socket) this.ask({ type: "unsubscribe", game }).catch(() => {});
  }

  /** @param {PlayedLine} line @returns {Promise<PositionView>} */
  async look(line) {
    return (await this.ask({ type: 'position', line })).position;
  }
}

export const live = new Live();
