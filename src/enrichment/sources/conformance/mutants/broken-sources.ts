import type { BrokenAdapter } from '../../../../testing/run-broken-adapter.ts';
import { withMethods } from '../../../../testing/with-methods.ts';
import type { CallContext } from '../../call-context.ts';
import type { SourceCall } from '../../source-client.ts';
import { ENGINE } from '../source-fixture.ts';
import type { SourceMutation } from '../subject.ts';

export interface BrokenSource extends BrokenAdapter {
  readonly area: 'lookups' | 'deadlines' | 'operations';
  readonly mutation: SourceMutation;
}

const asInsider = (context: CallContext): CallContext => ({
  ...context,
  actor: { ...context.actor, classification: ENGINE.normalise('RESTRICTED') },
});
const patient = (call: SourceCall): SourceCall => ({ ...call, deadline: Date.now() + 60_000 });
const deaf = (call: SourceCall): SourceCall => ({ ...call, signal: new AbortController().signal });

/** Sources with one fault each, made from sound parts. The suite has to fail on every one. */
export const BROKEN_SOURCES: Readonly<Record<string, BrokenSource>> = {
  'keeps-items': {
    fault: 'a bulk lookup keeps items above the caller',
    area: 'lookups',
    noticedBy: 'leaves out entries above the caller, in both lookups, also of production sources',
    mutation: {
      source: (sound) =>
        withMethods(sound, {
          lookup: (selectors, flags, context) => sound.lookup(selectors, flags, asInsider(context)),
        }),
    },
  },
  'keeps-items-of-single': {
    fault: 'a single lookup keeps items above the caller',
    area: 'lookups',
    noticedBy: 'leaves out entries above the caller, in both lookups, also of production sources',
    mutation: {
      source: (sound) =>
        withMethods(sound, {
          lookupOne: (selector, flags, context) => sound.lookupOne(selector, flags, asInsider(context)),
        }),
    },
  },
  'shares-answers': {
    fault: 'an answer for one user is kept and given to another',
    area: 'lookups',
    noticedBy: 'asks for each caller',
    mutation: {
      client: (sound) => {
        const kept = new Map<string, Promise<unknown>>();
        return withMethods(sound, {
          lookup: (selectors, flags, call) => {
            const key = JSON.stringify(selectors);
            const answer = kept.get(key) ?? sound.lookup(selectors, flags, call);
            kept.set(key, answer);
            return answer;
          },
        });
      },
    },
  },
  'shares-cache': {
    fault: 'an entry of the cache is shared between users',
    area: 'lookups',
    noticedBy: 'keeps answers for their caller alone, and filters them again',
    mutation: { cache: (sound) => ({ ...sound, shared: true }) },
  },
  'forgets-deadline': {
    fault: 'a lookup forgets its deadline',
    area: 'deadlines',
    noticedBy: 'gives up at the deadline',
    mutation: {
      client: (sound) =>
        withMethods(sound, { lookup: (selectors, flags, call) => sound.lookup(selectors, flags, patient(call)) }),
    },
  },
  'forgets-deadline-of-action': {
    fault: 'an action begins after its deadline',
    area: 'deadlines',
    noticedBy: 'does not begin after the deadline',
    mutation: {
      client: (sound) =>
        withMethods(sound, { runAction: (id, body, call) => sound.runAction(id, body, patient(call)) }),
    },
  },
  'goes-on': {
    fault: 'a call continues after the caller hung up',
    area: 'deadlines',
    noticedBy: 'ends when the caller hangs up',
    mutation: {
      client: (sound) => withMethods(sound, { runAction: (id, body, call) => sound.runAction(id, body, deaf(call)) }),
    },
  },
  'retries-action': {
    fault: 'an action is called again after a failure',
    area: 'operations',
    noticedBy: 'makes the call of an action and of a fetcher once, also when it fails',
    mutation: {
      client: (sound) =>
        withMethods(sound, {
          runAction: (id, body, call) => sound.runAction(id, body, call).catch(() => sound.runAction(id, body, call)),
        }),
    },
  },
  'sends-key': {
    fault: 'a credential of this installation is sent on',
    area: 'operations',
    noticedBy: 'sends the token of a provider, and nothing of a credential of this installation',
    mutation: {
      credentials: (sound) => ({
        tokenFor: async (source, actor, credential, kind) =>
          credential.kind === 'local' ? { token: 'goose:key:secret' } : sound.tokenFor(source, actor, credential, kind),
      }),
    },
  },
};
