import { useEffect, useState } from 'react';
import { alerts } from '../../../api/clients.ts';
import { live } from '../../../api/live.ts';
import { memberOf } from '../../../json/members.ts';
import type { Presence } from '../../../shell/presence.ts';
import { useSession } from '../../../shell/session-context.tsx';
import { TypingUsers } from './typing-users.ts';

/** Tells others that this person looks at an alert or a case, and returns who else does. */
export function usePresence(id: string): Presence {
  const me = useSession().session.username;
  const [viewers, setViewers] = useState<readonly string[]>([]);
  const [typing, setTyping] = useState<readonly string[]>([]);
  useEffect(() => {
    setViewers([]);
    setTyping([]);
    const writing = new TypingUsers(id, setTyping);
    const view = () => live.send({ id, action: 'viewing', broadcast: false });
    const ends = [
      live.on('viewers_update', ({ id: changed, viewers: names }) => {
        if (changed === id) setViewers(stringsOf(names));
      }),
      live.on('broadcast', ({ event }) => writing.note(event)),
      live.subscribe(() => {
        if (live.state() === 'connected') view();
      }),
    ];
    view();
    const ending = new AbortController();
    void readViewers(id, ending.signal).then((names) => names !== undefined && setViewers(names));
    return () => {
      ending.abort();
      writing.close();
      for (const end of ends) end();
      live.send({ id, action: 'stop_viewing', broadcast: false });
    };
  }, [id]);
  const others = (names: readonly string[]) => [...new Set(names)].filter((name) => name !== me);
  return { viewers: others(viewers), typing: others(typing) };
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
