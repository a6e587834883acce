import type { views as english } from '../en/views.ts';
import type { TranslationOf } from '../messages.ts';

export const views: TranslationOf<typeof english> = {
  title: 'Vues',
  create: 'Nouvelle vue',
  name: 'Titre',
  search: 'Rechercher des vues',
  empty: 'Aucune vue pour l’instant',
  noMatch: 'Aucun résultat',
  missing: 'Cette vue n’existe pas, ou vous ne pouvez pas la voir.',
  assignedToMe: 'Assignées à moi',
  open: 'Ouvrir dans la liste des alertes',
  builtIn: 'Le programme a créé cette vue. Elle ne peut être ni modifiée ni supprimée.',
  sort: 'Triée par',
  direction: 'Sens',
  ascending: 'Croissant',
  descending: 'Décroissant',
  span: 'Période',
  allTimes: 'Toutes les dates',
  spans: {
    '1.day': 'Dernier jour',
    '3.day': '3 derniers jours',
    '1.week': 'Dernière semaine',
    '1.month': 'Dernier mois',
    '3.month': '3 derniers mois',
    '1.year': 'Dernière année',
  },
  events: 'Rechercher aussi dans les événements',
  searched: 'Éléments recherchés',
  advances: 'Ouvrir l’alerte suivante après un triage',
  deleteText:
    'Les tableaux de bord ne la montrent plus, et les liens vers elle mènent à toutes les alertes. Les alertes restent.',
  favouriteOf_one: 'Favorite de {{count}} utilisateur',
  favouriteOf_other: 'Favorite de {{count}} utilisateurs',
};
