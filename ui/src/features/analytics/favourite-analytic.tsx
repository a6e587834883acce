import { alerts } from '../../api/clients.ts';
import { useAccount } from '../../shell/session-context.tsx';
import { FavouriteButton } from '../saved/favourite-button.tsx';

interface Props {
  readonly id: string;
  readonly name: string;
}

/** Marks an analytic as a favourite of this person, or takes the mark back. */
export function FavouriteAnalytic({ id, name }: Props) {
  const params = { path: { id } };
  return (
    <FavouriteButton
      name={name}
      isFavourite={useAccount().data?.favourite_analytics?.includes(id) === true}
      onChange={async (isFavourite) => {
        if (isFavourite) await alerts.POST('/api/v1/analytic/{id}/favourite', { params });
        else await alerts.DELETE('/api/v1/analytic/{id}/favourite', { params });
      }}
    />
  );
}
