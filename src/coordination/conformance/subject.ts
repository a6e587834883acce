import { after, before } from 'node:test';
import type { Coordination } from '../coordination.ts';

/** One adapter in one mode, as the suite takes it. */
export interface CoordinationSubject {
  readonly name: string;
  /** Fresh, empty, isolated from every other. */
  open(): Promise<OpenCoordination>;
  /** True when state survives a restart. False only for a mode that is made for tests. */
  readonly keepsState: boolean;
  /** Why it cannot be tested here; the suite then registers one skipped test. */
  readonly unavailable?: string;
}

export interface OpenCoordination {
  readonly coordination: Coordination;
  /**
   * A second handle on the state, as another process has it.
   * `coordination` itself where there is only one process.
   */
  readonly peer: Coordination;
  /** Lets so many milliseconds pass for every expiry. */
  advance(milliseconds: number): Promise<void>;
  /**
   * Stops and starts again, on the same state where the subject keeps it.
   * The earlier objects are closed.
   */
  restart(): Promise<OpenCoordination>;
}

/** Opens the subject once for the tests of an area and closes it after them. */
export function openForArea(subject: CoordinationSubject): { readonly current: OpenCoordination } {
  let open: OpenCoordination | undefined;
  before(async () => {
    open = await subject.open();
  });
  after(async () => {
    await open?.peer.close();
    await open?.coordination.close();
  });
  return {
    get current() {
      if (open === undefined) throw new Error('the subject is not open yet');
      return open;
    },
  };
}
