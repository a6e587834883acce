import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Star } from 'lucide-react';
import { IconButton } from '../../design/controls/icon-button.tsx';
import { showToast } from '../../design/overlays/toasts.ts';
import { useTranslation } from '../../i18n/translation.ts';
import { accountQuery } from '../../shell/session-context.tsx';
import styles from './saved.module.css';

interface Props {
  readonly name: string;
  readonly isFavourite: boolean;
  /** Makes the object a favourite, or takes the mark back. */
  readonly onChange: (isFavourite: boolean) => Promise<unknown>;
}

/** Marks an object as a favourite of this person. */
export function FavouriteButton({ name, isFavourite, onChange }: Props) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const toggle = useMutation({
    mutationFn: () => onChange(!isFavourite),
    onError: (error) => showToast(error.message, { kind: 'problem' }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: accountQuery.queryKey }),
  });
  return (
    <IconButton
      small
      icon={Star}
      aria-pressed={isFavourite}
      className={isFavourite ? styles.isFavourite : ''}
      label={t('saved.favourite', { name })}
      disabled={toggle.isPending}
      onClick={() => toggle.mutate()}
    />
  );
}
