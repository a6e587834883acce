import { useSession } from '../../shell/session-context.tsx';

type Kind =
  | 'action'
  | 'analytic'
  | 'analytic-comment'
  | 'case'
  | 'case-item'
  | 'case-rule'
  | 'case-task'
  | 'comment'
  | 'comment-edit'
  | 'dossier'
  | 'look-up'
  | 'overview'
  | 'template'
  | 'triage'
  | 'view';

/**
 * Returns the name of the draft of a form or a field.
 * People who share a browser have drafts of their own.
 * @param id undefined: of a new object
 */
export function useDraftName(kind: Kind, id: string | undefined): string {
  const { session } = useSession();
  return `${session.username}.${kind}.${id ?? 'new'}`;
}
