import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CoordinationSubject, OpenCoordination } from '../conformance/index.ts';
import type { Coordination } from '../coordination.ts';
import { openEmbeddedCoordination } from './embedded-coordination.ts';

/** The adapter as the conformance suite takes it, `wrap` round everything that it sees. */
export function embeddedSubjects(wrap: (coordination: Coordination) => Coordination = (it) => it): {
  readonly memory: CoordinationSubject;
  readonly disk: CoordinationSubject;
} {
  return {
    memory: { name: 'embedded in memory', keepsState: false, open: () => open('memory', wrap) },
    disk: {
      name: 'embedded on disk',
      keepsState: true,
      open: async () => open(await mkdtemp(join(tmpdir(), 'coordination-')), wrap),
    },
  };
}

async function open(
  folder: string,
  wrap: (coordination: Coordination) => Coordination,
  clock = { ahead: 0 },
): Promise<OpenCoordination> {
  const opened = await openEmbeddedCoordination({ folder, now: () => Date.now() + clock.ahead });
  const coordination = wrap(opened);
  let restarted = false;
  const close = coordination.close.bind(coordination);
  const closing: Coordination = {
    ...coordination,
    close: async () => {
      await close();
      if (folder !== 'memory' && !restarted) await rm(folder, { recursive: true, force: true });
    },
  };
  return {
    coordination: closing,
    peer: closing,
    advance: async (milliseconds) => {
      clock.ahead += milliseconds;
    },
    restart: async () => {
      restarted = true;
      await close();
      return open(folder, wrap, clock);
    },
  };
}
