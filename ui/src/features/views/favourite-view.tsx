import { alerts } from '../../api/clients.ts';
import { useAccount } from '../../shell/session-context.tsx';
import { FavouriteButton } from '../saved/favourite-button.tsx';

interface Props {
  readonly id: string;
  readonly title: string;
}

/** Marks a view as a favourite of this person, or takes the mark back. */
export function FavouriteView({ id, title }: Props) {
  const params = { path: { view_id: id } };
  return (
    <FavouriteButton
      name={title}
      isFavourite={useAccount().data?.favourite_views?.includes(id) === true}
      onChange={async (isFavourite) => {
        if (isFavourite) await alerts.POST('/api/v1/view/{view_id}/favourite', { params });
        else await alerts.DELETE('/api/v1/view/{view_id}/favourite', { params });
      }}
    />
  );
}
