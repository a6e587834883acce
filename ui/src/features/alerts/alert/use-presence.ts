import { useEffect, useState } from 'react';
import { alerts } from '../../../api/clients.ts';
import { live } from '../../../api/live.ts';
import { isSameValue } from '../../../json/equality.ts';
import { memberOf } from '../../../json/members.ts';
import type { Presence } from '../../../shell/presence.ts';
import { useSession } from '../../../shell/session-context.tsx';
import { TypingUsers } from './typing-users.ts';

const NO_ONE: readonly string[] = [];
/** Milliseconds after which a look counts: a walk by keys passes alerts faster. */
const GLANCE_MS = 200;

/** Tells others that this person looks at an alert or a case, and returns who else does. */
export function usePresence(id: string): Presence {
  const me = useSession().session.username;
  const [viewers, setPresentViewers] = useState(NO_ONE);
  const [typing, setTyping] = useState(NO_ONE);
  useEffect(() => {
    const setViewers = (names: readonly string[]) => {
      const others = othersAmong(names, me);
      // Most answers say that no one else is there: they draw nothing again.
      setPresentViewers((before) => (isSameValue(before, others) ? before : others));
    };
    setViewers(NO_ONE);
    setTyping(NO_ONE);
    const writing = new TypingUsers(id, (names) => setTyping(othersAmong(names, me)));
    const ending = new AbortController();
    const ends = [
      live.on('viewers_update', ({ id: changed, viewers: names }) => {
        if (changed === id) setViewers(stringsOf(names));
      }),
      live.on('broadcast', ({ event }) => writing.note(event)),
    ];
    const tell = (action: 'viewing' | 'stop_viewing') => live.send({ id, action, broadcast: false });
    const look = () => {
      tell('viewing');
      ends.push(
        live.subscribe(() => {
          if (live.state() === 'connected') tell('viewing');
        }),
        () => tell('stop_viewing'),
      );
      void readViewers(id, ending.signal).then((names) => names !== undefined && setViewers(names));
    };
    const glance = setTimeout(look, GLANCE_MS);
    return () => {
      clearTimeout(glance);
      ending.abort();
      writing.close();
      for (const end of ends) end();
    };
  }, [id, me]);
  return { viewers, typing };
}

function othersAmong(names: readonly string[], me: string): readonly string[] {
  return [...new Set(names)].filter((name) => name !== me);
}

/** Returns undefined where the answer is of no use any more, or the service does not say. */
async function readViewers(id: string, signal: AbortSignal): Promise<readonly string[] | undefined> {
  try {
    const { data } = await alerts.GET('/socket/v1/viewers/{id}', { params: { path: { id } }, signal });
    return signal.aborted ? undefined : stringsOf(memberOf(data, 'api_response'));
  } catch {
    return undefined;
  }
}

function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}
