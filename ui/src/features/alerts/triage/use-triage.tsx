import { type ReactNode, useState } from 'react';
import { LatePart, useLatePart } from '../../../design/overlays/late-part.ts';
import type { Command } from '../../../keys/commands.tsx';
import type { Assessment } from './alert.ts';
import { validAssessments } from './changes/assessments.ts';
import type { Change } from './changes/changes.ts';
import { perform, undoLast } from './perform.ts';
import { countOf, isMatching, type Selection } from './targets.ts';
import { type TriageTools, useTriageTools } from './triage-tools.ts';
import { useTriageSettings } from './use-analytic.ts';

/** A dialogue of triage, or none. */
export type TriageDialog =
  | { readonly kind: 'assess'; readonly first?: Assessment | undefined; readonly advances?: boolean }
  | { readonly kind: 'assign' | 'label' | 'comment' | 'file' | 'action' };

export interface TriageOptions {
  /** The alerts that commands concern: the selection, or the alert at hand. */
  readonly selection: Selection;
  /** Opens the next alert. */
  readonly onAdvance?: (() => void) | undefined;
  /** True: a verdict and a take open the next alert by themselves. */
  readonly advances?: boolean | undefined;
  /** Moves the focus to the place for a comment; default: a dialogue asks for it. */
  readonly onComment?: (() => void) | undefined;
}

export interface TriageControls {
  readonly selection: Selection;
  readonly tools: TriageTools;
  /** For `useCommands` of the page. */
  readonly commands: readonly Command[];
  /** Makes a change of the selection. */
  readonly run: (change: Change) => void;
  readonly open: (dialog: TriageDialog) => void;
  /** Dialogues, progress and conflicts; drawn once by the page. */
  readonly dialogs: ReactNode;
}

/** Loaded apart: the list shows its rows before someone opens a dialogue. */
const triageDialogs = new LatePart(async () => (await import('./triage-dialogs.tsx')).TriageDialogs);

const NUMBERED = [
  'assessFirst',
  'assessSecond',
  'assessThird',
  'assessFourth',
  'assessFifth',
  'assessSixth',
  'assessSeventh',
  'assessEighth',
  'assessNinth',
] as const;

/** Returns the commands of triage for a selection, and what draws their dialogues. */
export function useTriage({ selection, onAdvance, advances = false, onComment }: TriageOptions): TriageControls {
  const tools = useTriageTools();
  const [dialog, open] = useState<TriageDialog | undefined>(undefined);
  const settings = useTriageSettings(isMatching(selection) ? [] : selection.map(({ analytic }) => analytic));
  const isEnabled = countOf(selection) > 0;

  const change = (what: Change, isLast = advances) => {
    void perform(what, selection, tools);
    // The next alert opens at once: a refused change says so in words and is taken off the screen.
    if (isLast && (what.kind === 'assess' || what.kind === 'take')) onAdvance?.();
  };
  const assess = (assessment: Assessment) => {
    if (settings.skip_rationale === true) change({ kind: 'assess', assessment });
    else open({ kind: 'assess', first: assessment });
  };
  const commands: Command[] = [
    { id: 'assess', run: () => open({ kind: 'assess' }), isEnabled },
    ...validAssessments(settings)
      .slice(0, NUMBERED.length)
      .flatMap((assessment, index) => {
        const id = NUMBERED[index];
        return id === undefined ? [] : [{ id, run: () => assess(assessment), isEnabled }];
      }),
    { id: 'take', run: () => change({ kind: 'take' }), isEnabled },
    { id: 'assign', run: () => open({ kind: 'assign' }), isEnabled },
    { id: 'promote', run: () => change({ kind: 'promote' }), isEnabled },
    { id: 'demote', run: () => change({ kind: 'demote' }), isEnabled },
    { id: 'label', run: () => open({ kind: 'label' }), isEnabled },
    { id: 'comment', run: onComment ?? (() => open({ kind: 'comment' })), isEnabled },
    { id: 'fileIntoCase', run: () => open({ kind: 'file' }), isEnabled },
    { id: 'runAction', run: () => open({ kind: 'action' }), isEnabled },
    { id: 'undo', run: () => void undoLast(tools) },
  ];
  if (onAdvance !== undefined) {
    commands.push({ id: 'advance', run: () => open({ kind: 'assess', advances: true }), isEnabled });
  }
  const TriageDialogs = useLatePart(triageDialogs, dialog !== undefined);
  const dialogs = TriageDialogs !== undefined && (
    <TriageDialogs
      dialog={dialog}
      selection={selection}
      settings={settings}
      tools={tools}
      onClose={() => open(undefined)}
      onChange={(what) => change(what, advances || (dialog?.kind === 'assess' && dialog.advances === true))}
    />
  );
  return { selection, tools, commands, run: change, open, dialogs };
}
