import { useEffect, useRef, useState } from 'react';
import { askable, askSources, extractSelectors, type Source } from './ask.ts';
import type { Finding } from './findings.ts';
import type { Selector } from './text-rows.ts';

/** Milliseconds between two drawings while answers arrive. */
const DRAW_INTERVAL = 150;

export interface LookUpState {
  /** The text that was looked up; undefined while one is typed. */
  readonly text: string | undefined;
  readonly selectors: readonly Selector[];
  readonly findings: readonly Finding[];
  /** Sources that were asked so far. */
  readonly asked: readonly string[];
  /** Sentences by the name of the source. */
  readonly errors: ReadonlyMap<string, string>;
  readonly isBusy: boolean;
  readonly problem: unknown;
}

const NOTHING: LookUpState = {
  text: undefined,
  selectors: [],
  findings: [],
  asked: [],
  errors: new Map(),
  isBusy: false,
  problem: undefined,
};

export interface LookUp extends LookUpState {
  /** Finds the values in a string and asks the local sources. */
  readonly start: (text: string) => void;
  /** Asks one more source, which the reader named. */
  readonly ask: (source: Source) => void;
  readonly cancel: () => void;
  /** Returns to the text area. */
  readonly edit: () => void;
}

/** The state of one look-up: its text, the values in it, and what sources said so far. */
export function useLookUp(sources: readonly Source[] | undefined): LookUp {
  const [state, setState] = useState(NOTHING);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  /** Ends what runs, and begins other work; what the earlier work still brings is dropped. */
  const begin = (work: (signal: AbortSignal, update: (change: Partial<LookUpState>) => void) => Promise<void>) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const update = (change: Partial<LookUpState>) => {
      if (running.current === controller) setState((before) => ({ ...before, ...change }));
    };
    update({ isBusy: true, problem: undefined });
    void work(controller.signal, update)
      .catch((problem: unknown) => {
        if (!controller.signal.aborted) update({ problem });
      })
      .finally(() => update({ isBusy: false }));
  };

  return {
    ...state,
    start: (text) =>
      begin(async (signal, update) => {
        const selectors = await extractSelectors(text, signal);
        const local = (sources ?? []).filter(({ reach }) => reach === 'local');
        const asked = local.map(({ name }) => name);
        update({ ...NOTHING, text, selectors, asked, isBusy: true });
        const values = selectors.filter((selector) => local.some((source) => askable(source, [selector]).length > 0));
        await collect(NOTHING, asked, values, signal, update);
      }),
    ask: (source) =>
      begin(async (signal, update) => {
        update({ asked: [...new Set([...state.asked, source.name])] });
        const findings = state.findings.filter((finding) => finding.source !== source.name);
        const errors = new Map(state.errors);
        errors.delete(source.name);
        await collect({ findings, errors }, [source.name], askable(source, state.selectors), signal, update);
      }),
    cancel: () => {
      running.current?.abort();
      setState((before) => ({ ...before, isBusy: false }));
    },
    edit: () => {
      running.current?.abort();
      setState(NOTHING);
    },
  };
}

async function collect(
  before: Pick<LookUpState, 'findings' | 'errors'>,
  names: readonly string[],
  selectors: readonly Selector[],
  signal: AbortSignal,
  update: (change: Partial<LookUpState>) => void,
): Promise<void> {
  if (names.length === 0 || selectors.length === 0) return;
  const findings = [...before.findings];
  const errors = new Map(before.errors);
  const draw = () => update({ findings: [...findings], errors: new Map(errors) });
  let drawn = 0;
  try {
    for await (const lines of askSources(names, selectors, signal)) {
      for (const line of lines) {
        for (const finding of line.findings) findings.push(finding);
        for (const [source, error] of line.errors) errors.set(source, error);
      }
      if (performance.now() - drawn < DRAW_INTERVAL) continue;
      drawn = performance.now();
      draw();
    }
  } finally {
    draw();
  }
}
