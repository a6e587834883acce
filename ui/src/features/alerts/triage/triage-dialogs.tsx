import { BulkProgress } from './bulk/bulk-progress.tsx';
import type { TriageSettings } from './changes/assessments.ts';
import type { Change } from './changes/changes.ts';
import { ActionDialog } from './dialogs/action-dialog.tsx';
import { AssessDialog } from './dialogs/assess-dialog.tsx';
import { AssignDialog } from './dialogs/assign-dialog.tsx';
import { CommentDialog } from './dialogs/comment-dialog.tsx';
import { ConflictDialog } from './dialogs/conflict-dialog.tsx';
import { FileDialog } from './dialogs/file-dialog.tsx';
import { LabelDialog } from './dialogs/label-dialog.tsx';
import type { Selection } from './targets.ts';
import type { TriageTools } from './triage-tools.ts';
import type { TriageDialog } from './use-triage.tsx';

/** The properties that every dialogue of triage takes. */
export interface TriageDialogProps {
  readonly selection: Selection;
  readonly tools: TriageTools;
  readonly onClose: () => void;
  readonly onChange: (change: Change) => void;
}

interface Props extends TriageDialogProps {
  readonly dialog: TriageDialog | undefined;
  readonly settings: TriageSettings;
}

/** Draws the dialogue that is open, the progress of a bulk, and a conflict that waits for a decision. */
export function TriageDialogs({ dialog, settings, ...props }: Props) {
  const { onClose, onChange, tools } = props;
  const shared = {
    ...props,
    onChange: (change: Change) => {
      onClose();
      onChange(change);
    },
  };
  return (
    <>
      {dialog?.kind === 'assess' && <AssessDialog {...shared} dialog={dialog} settings={settings} />}
      {dialog?.kind === 'assign' && <AssignDialog {...shared} />}
      {dialog?.kind === 'label' && <LabelDialog {...shared} />}
      {dialog?.kind === 'comment' && <CommentDialog {...shared} />}
      {dialog?.kind === 'file' && <FileDialog {...shared} />}
      {dialog?.kind === 'action' && <ActionDialog {...shared} />}
      <ConflictDialog tools={tools} />
      <BulkProgress tools={tools} />
    </>
  );
}
