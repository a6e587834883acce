import { setTimeout as wait } from 'node:timers/promises';
import { HANGING, type PluginRequest, type SourceSubject } from '../conformance/subject.ts';
import type { SourceCall } from '../source-client.ts';
import { SourceFailure } from '../source-failure.ts';
import { InProcessSourceClient } from './in-process-source-client.ts';

/** The adapter as the conformance suite takes it. */
export const IN_PROCESS_SUBJECT: SourceSubject = {
  name: 'source in process',
  async open(script) {
    const requests: PluginRequest[] = [];
    const ask = (request: PluginRequest): unknown => {
      requests.push(request);
      const answered = script(request);
      if (answered === 'hang') return wait(HANGING, {}, { ref: false });
      if ('content' in answered) return answered.content;
      const { status, message } = answered;
      const options = { status, pluginMessage: message || undefined };
      throw new SourceFailure('status', `it answered with status ${status}`, options);
    };
    const operation = (kind: 'run_action' | 'run_fetcher', id: string) => ({
      definition: {},
      run: async (body: unknown, { token }: SourceCall) => ask({ kind, token, selectors: [], id, body }),
    });
    const client = new InProcessSourceClient({
      types: () =>
        ask({ kind: 'types', token: undefined, selectors: [], id: '', body: undefined }) as Record<string, string>,
      lookup: async (selectors, _flags, { token }) =>
        ask({ kind: 'lookup', token, selectors, id: '', body: undefined }),
      actions: { act: operation('run_action', 'act') },
      fetchers: { fetch: operation('run_fetcher', 'fetch') },
    });
    return { client, requests, close: async () => undefined };
  },
};
