import type { data as english } from '../en/data.ts';
import type { TranslationOf } from '../messages.ts';

export const data: TranslationOf<typeof english> = {
  severity: { critical: 'Critique', high: 'Élevée', medium: 'Moyenne', low: 'Faible', none: 'Sans sévérité' },
  escalation: {
    evidence: 'Preuve',
    alert: 'Alerte',
    hit: 'Détection',
    miss: 'Écartée',
    crisis: 'Crise',
    focus: 'Prioritaire',
    normal: 'Normale',
  },
  status: { open: 'Ouvert', 'in-progress': 'En cours', 'on-hold': 'En attente', resolved: 'Résolu' },
  assessment: {
    compromise: 'Compromission',
    attempt: 'Tentative',
    recon: 'Reconnaissance',
    trivial: 'Anodin',
    mitigated: 'Atténué',
    ambiguous: 'Ambigu',
    security: 'Test de sécurité',
    development: 'Développement',
    'false-positive': 'Faux positif',
    legitimate: 'Légitime',
  },
  hidden: {
    control: 'Caractère de contrôle {{code}}',
    direction: 'Caractère qui change le sens du texte, {{code}}',
    invisible: 'Caractère invisible {{code}}',
    space: 'Espace inhabituelle {{code}}',
    confusable: '« {{character}} » {{code}} ressemble seulement à un caractère latin',
    stacked: 'Nombreux accents sur une lettre, le premier {{code}}',
    broken: 'Caractère non valide, {{code}}',
    many: '{{label}}, {{count}} fois',
  },
  value: {
    copy: 'Copier {{value}}',
    copyDefanged: 'Copier {{value}} désamorcé',
    cut: '{{number}} caractères de plus',
    empty: 'Vide',
  },
  user: { unassigned: 'Non attribué', unknown: 'Utilisateur inconnu' },
  tags: { more_one: '{{count}} de plus', more_other: '{{count}} de plus' },
  classification: { label: 'Classification : {{name}}', missing: 'Sans classification' },
  table: {
    select: 'Sélectionner la ligne {{number}}',
    selectAll: 'Tout sélectionner',
    resize: 'Largeur de la colonne {{column}}',
    empty: 'Il n’y a rien à afficher.',
  },
  time: { invalid: 'Heure non valide' },
};
