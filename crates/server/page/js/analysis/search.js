// One analysis on the server at a time: a new request replaces the one before.

import { bus } from '../model/bus.js';
import { socket } from '../socket.js';

/** @import {AnalysisRequest, AnalysisUpdate} from '../api.js' */

/** Unique within this page, so that late messages of an older analysis are recognised. */
let lastNumber = 0;

export const nextAnalysis = () => ++lastNumber;

/** @param {number} analysis */
export function stopAnalysis(analysis) {
  if (socket.isOpen()) socket.send({ type: 'stop_analysis', analysis }).catch(() => {});
}

export class PositionSearch {
  /** The number of the running analysis; 0 for none. */
  analysis = 0;

  /** @param {(update: AnalysisUpdate) => void} onUpdate @param {(message: string, isLost: boolean) => void} onError the request was rejected, or the connection lost */
  constructor(onUpdate, onError) {
    this.onError = onError;
    this.events = bus.scope();
    this.events.on('message', (message) => {
      if (message.type !== 'analysis' || message.analysis !== this.analysis) return;
      if (message.update.state === 'done' || message.update.state === 'failed') this.analysis = 0;
      onUpdate(message.update);
    });
    this.events.on('connection', (open) => {
      if (open || this.analysis === 0) return;
      this.analysis = 0;
      onError('The connection to the server was lost.', true);
    });
  }

  /** @param {Omit<AnalysisRequest, 'analysis'>} request */
  async start(request) {
    this.stop();
    const analysis = nextAnalysis();
    this.analysis = analysis;
    try {
      await socket.send({ type: 'analyze', request: { ...request, analysis } });
    } catch (error) {
      if (this.analysis !== analysis) return;
      this.analysis = 0;
      this.onError(/** @type {Error} */ (error).message, !socket.isOpen());
    }
  }

  stop() {
    if (this.analysis) stopAnalysis(this.analysis);
    this.analysis = 0;
  }

  close() {
    this.stop();
    this.events.close();
  }
}
