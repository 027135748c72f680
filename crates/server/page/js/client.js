// The HTTP API.

/** @import {AppInfo, ArchivePlayers, ArchiveStatus, Explanation, ExploreRequest, ExploreResponse} from './api.js' */
/** @import {GameList, GameSearchResponse, GameState, NewGame, ParsedGame, ParseResponse, PhaseCourse, PlayedLine} from './api.js' */
/** @import {EditedPosition, EngineResults, EvaluationBreakdown, Hint, PositionCheck, PositionTactics} from './api.js' */
/** @import {SearchRequest, SetupsResponse} from './api.js' */

export const BASE = '/api/v1';

/** The delay before an unreachable server is tried again. */
export const RETRY_DELAY = 700;

/** The server does not respond; it may be restarted. */
export class UnreachableError extends Error {
  constructor() {
    super(UNREACHABLE);
  }
}

/**
 * Repeats a request until the server responds.
 * @template T
 * @param {() => Promise<T>} request
 * @param {(error: Error) => void} onUnreachable
 * @param {() => boolean} isCancelled
 * @returns {Promise<T>}
 */
export async function untilReachable(request, onUnreachable, isCancelled) {
  for (;;) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof UnreachableError) || isCancelled()) throw error;
      onUnreachable(error);
      await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY));
    }
  }
}

const UNREACHABLE = 'The server does not respond. Is surus still running?';

/**
 * @param {string} path
 * @param {RequestInit} [init]
 */
async function request(path, init) {
  let response;
  try {
    response = await fetch(BASE + path, init);
  } catch {
    throw new UnreachableError();
  }
  if (response.ok) return response;
  const body = await response.json().catch(() => ({ error: response.statusText }));
  throw new Error(body.error);
}

/** @param {string} path */
async function get(path) {
  return (await request(path)).json();
}

/** Fails if the server does not respond. */
export const pingServer = () => get('/info');

/** @param {string} path @param {unknown} body */
async function post(path, body) {
  const headers = { 'content-type': 'application/json' };
  return (await request(path, { method: 'POST', headers, body: JSON.stringify(body) })).json();
}

/** @type {Promise<AppInfo> | null} */
let cachedInfo = null;

/** @returns {Promise<AppInfo>} */
export function appInfo() {
  cachedInfo ??= get('/info');
  cachedInfo.catch(() => {
    cachedInfo = null;
  });
  return cachedInfo;
}

/** @param {NewGame} config @returns {Promise<GameState>} */
export const createGame = (config) => post('/games', config);

/** @param {string} id @returns {Promise<GameState>} */
export const fetchGame = (id) => get(`/games/${encodeURIComponent(id)}`);

/** @param {number} offset @returns {Promise<GameList>} */
export const listGames = (offset) => get(`/games?limit=30&offset=${offset}`);

/** @param {string} id */
export const deleteGame = (id) => request(`/games/${encodeURIComponent(id)}`, { method: 'DELETE' });

/** @param {string} id @returns {Promise<string>} */
export const fetchRecord = async (id) => (await request(`/games/${encodeURIComponent(id)}/record`)).text();

/** A turn that an engine recommends. @param {string} id of the game @returns {Promise<Hint>} */
export const fetchHint = (id) => post(`/games/${encodeURIComponent(id)}/hint`, {});

/** @returns {Promise<EngineResults[]>} */
export const fetchResults = () => get('/results');

/** @param {string} text @returns {Promise<ParseResponse>} */
export const parseText = (text) => post('/parse', { text });

/** @param {PlayedLine} line @returns {Promise<Explanation>} */
export const fetchExplanation = (line) => post('/explain', line);

/** The phases of all positions of a line. @param {PlayedLine} line @returns {Promise<PhaseCourse>} */
export const fetchPhases = (line) => post('/phases', line);

/** @param {PlayedLine} line @returns {Promise<PositionTactics>} */
export const fetchTactics = (line) => post('/tactics', line);

/** @param {PlayedLine} line @returns {Promise<EvaluationBreakdown>} */
export const fetchEvaluation = (line) => post('/evaluation', line);

/** @param {EditedPosition} position @returns {Promise<PositionCheck>} */
export const checkPosition = (position) => post('/position/check', position);

/** @returns {Promise<ArchiveStatus>} */
export const archiveStatus = () => get('/archive');

/** @param {ExploreRequest} query @returns {Promise<ExploreResponse>} */
export const explore = (query) => post('/archive/explore', query);

/** @param {ExploreRequest} query @returns {Promise<SetupsResponse>} */
export const archiveSetups = (query) => post('/archive/setups', query);

/** @param {SearchRequest} query @returns {Promise<GameSearchResponse>} */
export const searchPositions = (query) => post('/archive/search', query);

/** @param {string} part of the name @returns {Promise<ArchivePlayers>} */
export const searchPlayers = (part) => get(`/archive/players?name=${encodeURIComponent(part)}`);

/** @param {string} name @returns {Promise<GameSearchResponse>} */
export const gamesByPlayer = (name) => get(`/archive/games?limit=100&name=${encodeURIComponent(name)}`);

/** @param {string} id @returns {Promise<ParsedGame>} */
export const fetchArchivedGame = (id) => get(`/archive/games/${encodeURIComponent(id)}`);
