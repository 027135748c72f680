// The events of the page.

import type { ExplorerTurn, GameState, PlayedLine, ServerMessage, Trajectory } from '../api.js';
import type { Settings } from './settings.js';

/** The position that a page shows. */
export type ShownPosition = {
  /** The line that leads to it, including steps of the current turn. */
  line: PlayedLine;
  /** The board at the start of its turn: 64 characters. */
  board: string;
};

/** A board with lines on it, instead of the shown position. */
export type Drawing = {
  /** 64 characters, a8 to h1. */
  board: string;
  zone: Trajectory[];
};

export type AppEvents = {
  /** The settings have changed. */
  settings: Settings;
  /** The WebSocket was opened or closed. */
  connection: boolean;
  /** A message of the server that is not a reply. */
  message: ServerMessage;
  /** The running game was started, changed or left. */
  running: GameState | null;
  /** The page shows another position, or none. */
  position: ShownPosition | null;
  /** A panel proposes a turn: show it on the board; null to stop. */
  preview: ExplorerTurn | null;
  /** A panel's turn was chosen: play it. */
  play: ExplorerTurn;
  /** A panel shows a line step by step: draw it; null for the position. */
  remark: Drawing | null;
};
