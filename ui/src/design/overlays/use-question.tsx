import { type ReactNode, useState } from 'react';

/** True for what the person was asked about, false for things as they are. */
export type Decide = (applies: boolean) => void;

interface AskedQuestion<Subject> {
  readonly subject: Subject;
  readonly decide: Decide;
}

export interface Question<Subject> {
  /** Resolves to the decision. Questions that come together are asked one after the other. */
  readonly ask: (subject: Subject) => Promise<boolean>;
  /** The open question; render it once. */
  readonly question: ReactNode;
}

/** Asks a person in a dialog that `draw` makes, and waits for the decision. */
export function useQuestion<Subject>(draw: (subject: Subject, onDecide: Decide) => ReactNode): Question<Subject> {
  const [asked, setAsked] = useState<readonly AskedQuestion<Subject>[]>([]);
  const ask = (subject: Subject) =>
    new Promise<boolean>((resolve) => {
      const decide = (applies: boolean) => {
        setAsked((present) => present.filter((one) => one.subject !== subject));
        resolve(applies);
      };
      setAsked((present) => [...present, { subject, decide }]);
    });
  const [first] = asked;
  return { ask, question: first === undefined ? null : draw(first.subject, first.decide) };
}
