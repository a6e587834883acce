import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/translation.ts';
import { Permissions } from '../saved/permissions.tsx';
import { type Action, actionsKey, grantPermissions, revokePermissions } from './action-api.ts';

interface Props {
  readonly action: Action;
  readonly mayChange: boolean;
}

/**
 * Draws the owner of an action and who may change it.
 * Members are not offered: every account with a role for actions may do what they may.
 */
export function ActionPeople({ action, mayChange }: Props) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const change = (request: Promise<void>) =>
    request.then(() => queryClient.invalidateQueries({ queryKey: actionsKey }));
  return (
    <Permissions
      object={action}
      mayChange={mayChange}
      privileges={['admins', 'owner']}
      hint={t('actions.people')}
      grant={(entries) => change(grantPermissions(action.action_id, entries))}
      revoke={(entries) => change(revokePermissions(action.action_id, entries))}
    />
  );
}
