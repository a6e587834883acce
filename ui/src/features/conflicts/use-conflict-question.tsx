import { type ReactNode, useState } from 'react';

/** True writes the change over what another person wrote. */
export type Decide = (applies: boolean) => void;

interface Question<Conflict> {
  readonly conflict: Conflict;
  readonly decide: Decide;
}

export interface ConflictQuestion<Conflict> {
  /** Resolves to the decision. Conflicts that come together are asked about one after the other. */
  readonly ask: (conflict: Conflict) => Promise<boolean>;
  /** The open question; render it once. */
  readonly question: ReactNode;
}

/** Asks a person which of two changes counts. */
export function useConflictQuestion<Conflict>(
  draw: (conflict: Conflict, onDecide: Decide) => ReactNode,
): ConflictQuestion<Conflict> {
  const [asked, setAsked] = useState<readonly Question<Conflict>[]>([]);
  const ask = (conflict: Conflict) =>
    new Promise<boolean>((resolve) => {
      const decide = (applies: boolean) => {
        setAsked((present) => present.filter((one) => one.conflict !== conflict));
        resolve(applies);
      };
      setAsked((present) => [...present, { conflict, decide }]);
    });
  const [first] = asked;
  return { ask, question: first === undefined ? null : draw(first.conflict, first.decide) };
}
