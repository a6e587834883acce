import { useEffect, useState } from 'react';
import { alerts } from '../../../api/clients.ts';
import { live } from '../../../api/live.ts';
import { memberOf } from '../../../json/members.ts';
import type { Presence } from '../../../shell/presence.ts';
import { useSession } from '../../../shell/session-context.tsx';

/** A person whose `stop_typing` was lost counts as writing for this long, in ms. */
const TYPING_MS = 30_000;

/** Tells others that this person looks at an alert, and returns who else does. */
export function usePresence(id: string): Presence {
  const me = useSession().session.username;
  const [viewers, setViewers] = useState<readonly string[]>([]);
  const [typing, setTyping] = useState<ReadonlyMap<string, number>>(new Map());
  useEffect(() => {
    setViewers([]);
    setTyping(new Map());
    const view = () => live.send({ id, action: 'viewing', broadcast: false });
    const ends = [
      live.on('viewers_update', ({ id: changed, viewers: names }) => {
        if (changed === id) setViewers(stringsOf(names));
      }),
      live.on('broadcast', ({ event }) => setTyping((before) => afterEvent(before, event, id))),
      live.subscribe(() => {
        if (live.state() === 'connected') view();
      }),
    ];
    view();
    const ending = new AbortController();
    void readViewers(id, ending.signal).then((names) => names !== undefined && setViewers(names));
    return () => {
      ending.abort();
      for (const end of ends) end();
      live.send({ id, action: 'stop_viewing', broadcast: false });
    };
  }, [id]);
  const others = (names: Iterable<string>) => [...new Set(names)].filter((name) => name !== me);
  const now = Date.now();
  const writing = [...typing].filter(([, since]) => now - since < TYPING_MS).map(([name]) => name);
  return { viewers: others(viewers), typing: others(writing) };
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

function afterEvent(before: ReadonlyMap<string, number>, event: unknown, id: string): ReadonlyMap<string, number> {
  const [action, username] = [memberOf(event, 'action'), memberOf(event, 'username')];
  const isKnown = action === 'typing' || action === 'stop_typing';
  if (memberOf(event, 'id') !== id || typeof username !== 'string' || !isKnown) return before;
  const after = new Map(before);
  if (action === 'typing') after.set(username, Date.now());
  else after.delete(username);
  return after;
}
