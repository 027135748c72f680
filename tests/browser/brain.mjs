// Somebody to play with: our own engine behind AEI, at a fixed number of nodes.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { program } from './lib.mjs';

export class Brain {
  constructor() {
    this.child = spawn(program, ['aei', '--engine', 'alphabeta'], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.lines = createInterface({ input: this.child.stdout });
    this.send('aei');
  }

  send(line) {
    this.child.stdin.write(`${line}\n`);
  }

  /** The steps it would play after these turns. */
  async turn(turns) {
    this.send('newgame');
    this.send('setoption name nodes value 15000');
    for (const { text } of turns) this.send(`makemove ${text}`);
    const answer = new Promise((done) => {
      const hear = (line) => {
        if (!line.startsWith('bestmove ')) return;
        this.lines.off('line', hear);
        done(line.slice('bestmove '.length));
      };
      this.lines.on('line', hear);
    });
    this.send('go');
    return (await answer).split(' ').filter((word) => !word.endsWith('x'));
  }

  close() {
    this.send('quit');
  }
}

const WAYS = { n: [0, 1], e: [1, 0], s: [0, -1], w: [-1, 0] };

export const fromOf = (step) => step.slice(1, 3);

export function toOf(step) {
  const [x, y] = WAYS[step[3]];
  return String.fromCharCode(step.charCodeAt(1) + x) + (Number(step[2]) + y);
}

/** The steps of a turn as what a hand does: single steps, pushes and pulls. */
export function gestures(steps, side) {
  const own = (step) => (step[0] === step[0].toUpperCase()) === (side === 'g');
  const found = [];
  for (let index = 0; index < steps.length; index++) {
    const [step, next] = [steps[index], steps[index + 1]];
    if (!own(step)) found.push({ kind: 'push', steps: [step, steps[++index]] });
    else if (next && !own(next) && toOf(next) === fromOf(step)) {
      found.push({ kind: 'pull', steps: [step, next] });
      index++;
    } else found.push({ kind: 'step', steps: [step] });
  }
  return found;
}
