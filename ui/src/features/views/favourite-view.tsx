import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Star } from 'lucide-react';
import { alerts } from '../../api/clients.ts';
import { IconButton } from '../../design/controls/icon-button.tsx';
import { showToast } from '../../design/overlays/toasts.ts';
import { useTranslation } from '../../i18n/translation.ts';
import { accountQuery, useAccount } from '../../shell/session-context.tsx';
import styles from '../saved/saved.module.css';

interface Props {
  readonly id: string;
  readonly title: string;
}

/** Marks a view as a favourite of this person, or takes the mark back. */
export function FavouriteView({ id, title }: Props) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const isFavourite = useAccount().data?.favourite_views?.includes(id) === true;
  const params = { path: { view_id: id } };
  const toggle = useMutation({
    mutationFn: async () => {
      if (isFavourite) await alerts.DELETE('/api/v1/view/{view_id}/favourite', { params });
      else await alerts.POST('/api/v1/view/{view_id}/favourite', { params });
    },
    onError: (error) => showToast(error.message, { kind: 'problem' }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: accountQuery.queryKey }),
  });
  return (
    <IconButton
      small
      icon={Star}
      aria-pressed={isFavourite}
      className={isFavourite ? styles.isFavourite : ''}
      label={t('saved.favourite', { name: title })}
      disabled={toggle.isPending}
      onClick={() => toggle.mutate()}
    />
  );
}
