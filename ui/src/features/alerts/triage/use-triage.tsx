import { type ReactNode, useState } from 'react';
import { LatePart, useLatePart } from '../../../design/late/late-part.ts';
import type { Command } from '../../../keys/commands.tsx';
import type { Assessment } from './alert.ts';
import { validAssessments } from './changes/assessments.ts';
import type { Change } from './changes/changes.ts';
import { perform, undoLast } from './perform.ts';
import { countOf, type Selection } from './targets.ts';
import { type TriageTools, useTriageTools } from './triage-tools.ts';
import { useTriageSettings } from './use-analytic.ts';

/** A dialogue of triage. */
export type TriageDialog =
  | { readonly kind: 'assess'; readonly first?: Assessment | undefined; readonly advances?: boolean }
  | { readonly kind: 'assign' | 'label' | 'comment' | 'file' | 'action' };

/** A dialogue with the alerts that it is about, which stay the same while it is open. */
export interface OpenDialog {
  readonly dialog: TriageDialog;
  readonly selection: Selection;
}

export interface TriageOptions {
  /** The alerts that keys concern: the selection, or the alert at hand. */
  readonly selection: Selection;
  /** Opens the next alert. */
  readonly onAdvance?: (() => void) | undefined;
  /** True: a verdict and a take open the next alert by themselves. */
  readonly advances?: boolean | undefined;
  /** Moves the focus to the place for a comment; default: a dialogue asks for it. */
  readonly onComment?: (() => void) | undefined;
}

export interface TriageControls {
  /** The alerts that keys concern. */
  readonly selection: Selection;
  readonly tools: TriageTools;
  /** For `useCommands` of the page. */
  readonly commands: readonly Command[];
  /** Makes a change, by default of the selection. */
  readonly run: (change: Change, of?: Selection) => void;
  /** Opens a dialogue, by default about the selection. */
  readonly open: (dialog: TriageDialog, of?: Selection) => void;
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
  const [opened, setOpened] = useState<OpenDialog | undefined>(undefined);
  const settings = useTriageSettings(selection);
  const isEnabled = countOf(selection) > 0;

  const open = (dialog: TriageDialog, of = selection) => setOpened({ dialog, selection: of });
  const change = (what: Change, of: Selection, isLast: boolean) => {
    void perform(what, of, tools);
    // The next alert opens at once: a refused change says so in words and is taken off the screen.
    if (isLast && (what.kind === 'assess' || what.kind === 'take')) onAdvance?.();
  };
  const run = (what: Change, of = selection) => change(what, of, advances);
  const assess = (assessment: Assessment) => {
    if (settings?.skip_rationale === true) run({ kind: 'assess', assessment });
    else open({ kind: 'assess', first: assessment });
  };
  // Which assessment a number means is known with the analytic.
  const numbered = settings === undefined ? [] : validAssessments(settings).slice(0, NUMBERED.length);
  const commands: Command[] = [
    { id: 'assess', run: () => open({ kind: 'assess' }), isEnabled },
    ...numbered.flatMap((assessment, index) => {
      const id = NUMBERED[index];
      return id === undefined ? [] : [{ id, run: () => assess(assessment), isEnabled }];
    }),
    { id: 'take', run: () => run({ kind: 'take' }), isEnabled },
    { id: 'assign', run: () => open({ kind: 'assign' }), isEnabled },
    { id: 'promote', run: () => run({ kind: 'promote' }), isEnabled },
    { id: 'demote', run: () => run({ kind: 'demote' }), isEnabled },
    { id: 'label', run: () => open({ kind: 'label' }), isEnabled },
    { id: 'comment', run: onComment ?? (() => open({ kind: 'comment' })), isEnabled },
    { id: 'fileIntoCase', run: () => open({ kind: 'file' }), isEnabled },
    { id: 'runAction', run: () => open({ kind: 'action' }), isEnabled },
    { id: 'undo', run: () => void undoLast(tools) },
  ];
  if (onAdvance !== undefined) {
    commands.push({ id: 'advance', run: () => open({ kind: 'assess', advances: true }), isEnabled });
  }
  const TriageDialogs = useLatePart(triageDialogs, opened !== undefined);
  const dialogs = TriageDialogs !== undefined && (
    <TriageDialogs
      opened={opened}
      tools={tools}
      onClose={() => setOpened(undefined)}
      onChange={(what, { dialog, selection: of }) => {
        setOpened(undefined);
        change(what, of, advances || (dialog.kind === 'assess' && dialog.advances === true));
      }}
    />
  );
  return { selection, tools, commands, run, open, dialogs };
}
