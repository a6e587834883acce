import { useQuery } from '@tanstack/react-query';
import { countRecords } from '../../../api/alert-searches.ts';
import { useStore } from '../../../state/use-store.ts';
import { BulkProgress } from './bulk/bulk-progress.tsx';
import { type Change, dialogOf } from './changes/changes.ts';
import { ActionDialog } from './dialogs/action-dialog.tsx';
import { AssessDialog } from './dialogs/assess-dialog.tsx';
import { AssignDialog } from './dialogs/assign-dialog.tsx';
import { CommentDialog } from './dialogs/comment-dialog.tsx';
import { ConflictDialog } from './dialogs/conflict-dialog.tsx';
import { FileDialog } from './dialogs/file-dialog.tsx';
import { LabelDialog } from './dialogs/label-dialog.tsx';
import { QuestionDialog } from './dialogs/question-dialog.tsx';
import { perform } from './perform.ts';
import { retrySlot } from './slots.ts';
import { isMatching, type Selection } from './targets.ts';
import type { TriageTools } from './triage-tools.ts';
import type { OpenDialog } from './use-triage.tsx';

/** The properties that every dialogue of triage takes. */
export interface TriageDialogProps {
  readonly selection: Selection;
  readonly tools: TriageTools;
  readonly onClose: () => void;
  readonly onChange: (change: Change) => void;
  /** A change that was typed before and was not made: the dialogue begins with it. */
  readonly typed?: Change | undefined;
}

interface Props {
  readonly opened: OpenDialog | undefined;
  readonly tools: TriageTools;
  readonly onClose: () => void;
  /** Gets the change, and the dialogue with as many alerts as it named. */
  readonly onChange: (change: Change, of: OpenDialog) => void;
}

/** Draws the dialogue that is open, the progress of bulks, and what waits for a decision. */
export function TriageDialogs({ opened, tools, onClose, onChange }: Props) {
  const retry = useStore(retrySlot);
  const again = retry === undefined ? undefined : dialogOf(retry.change);
  const forgetRetry = () => retrySlot.set(undefined);
  return (
    <>
      {opened !== undefined && <Asked opened={opened} tools={tools} onClose={onClose} onChange={onChange} />}
      {retry !== undefined && again !== undefined && opened === undefined && (
        <Asked
          key={retry.id}
          opened={{ dialog: { kind: again }, selection: retry.selection }}
          typed={retry.change}
          tools={tools}
          onClose={forgetRetry}
          onChange={(change, { selection }) => {
            forgetRetry();
            void perform(change, selection, tools);
          }}
        />
      )}
      <ConflictDialog tools={tools} />
      <QuestionDialog />
      <BulkProgress tools={tools} />
    </>
  );
}

interface AskedProps extends Props {
  readonly opened: OpenDialog;
  readonly typed?: Change | undefined;
}

function Asked({ opened: { dialog, selection }, typed, tools, onClose, onChange }: AskedProps) {
  const counted = useCounted(selection);
  const props: TriageDialogProps = {
    selection: counted,
    tools,
    onClose,
    onChange: (change) => onChange(change, { dialog, selection: counted }),
    typed,
  };
  switch (dialog.kind) {
    case 'assess':
      return <AssessDialog {...props} dialog={dialog} />;
    case 'assign':
      return <AssignDialog {...props} />;
    case 'label':
      return <LabelDialog {...props} />;
    case 'comment':
      return <CommentDialog {...props} />;
    case 'file':
      return <FileDialog {...props} />;
    case 'action':
      return <ActionDialog {...props} />;
  }
}

/** Returns a selection with as many alerts as match now: a list may not show the newest of them yet. */
function useCounted(selection: Selection): Selection {
  const { query, filters } = isMatching(selection) ? selection : { query: '', filters: [] };
  const { data } = useQuery({
    queryKey: ['alerts', 'hit', 'count', 'selected', query, filters],
    queryFn: ({ signal }) => countRecords({ query, filters }, { signal }),
    enabled: isMatching(selection),
    staleTime: 0,
    gcTime: 0,
  });
  return isMatching(selection) && data !== undefined ? { ...selection, total: data } : selection;
}
