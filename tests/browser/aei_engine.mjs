// An opponent for the page: our engine over AEI, with a fixed number of nodes.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { program } from './harness.mjs';

const NODES = 15_000;

export class AeiEngine {
  constructor() {
    this.child = spawn(program, ['aei', '--engine', 'alphabeta'], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.lines = createInterface({ input: this.child.stdout });
    this.send('aei');
  }

  send(line) {
    this.child.stdin.write(`${line}\n`);
  }

  /** The steps that the engine plays after these turns. */
  async turn(turns) {
    this.send('newgame');
    this.send(`setoption name nodes value ${NODES}`);
    for (const { text } of turns) this.send(`makemove ${text}`);
    const bestMove = this.read('bestmove ');
    this.send('go');
    return (await bestMove).split(' ').filter((word) => !word.endsWith('x'));
  }

  /** The rest of the next line with a prefix. */
  read(prefix) {
    return new Promise((resolve) => {
      const onLine = (line) => {
        if (!line.startsWith(prefix)) return;
        this.lines.off('line', onLine);
        resolve(line.slice(prefix.length));
      };
      this.lines.on('line', onLine);
    });
  }

  close() {
    this.send('quit');
  }
}

const DIRECTIONS = { n: [0, 1], e: [1, 0], s: [0, -1], w: [-1, 0] };

export const fromOf = (step) => step.slice(1, 3);

export function toOf(step) {
  const [x, y] = DIRECTIONS[step[3]];
  return String.fromCharCode(step.charCodeAt(1) + x) + (Number(step[2]) + y);
}

/** Groups the steps of a turn into gestures: single steps, pushes and pulls. */
export function gestures(steps, side) {
  const isOwn = (step) => (step[0] === step[0].toUpperCase()) === (side === 'g');
  const found = [];
  for (let index = 0; index < steps.length; index++) {
    const [step, next] = [steps[index], steps[index + 1]];
    if (!isOwn(step)) found.push({ kind: 'push', steps: [step, steps[++index]] });
    else if (next && !isOwn(next) && toOf(next) === fromOf(step)) {
      found.push({ kind: 'pull', steps: [step, next] });
      index++;
    } else found.push({ kind: 'step', steps: [step] });
  }
  return found;
}
