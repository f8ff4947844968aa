// Written by tools/typescript_types.py from the schema of the API: do not edit.

export type Binary = Blob | string;

/** The secret of an invitation (the last part of its link), and for whom it is: yourself if left out. */
export interface AcceptEntryInputRequest {
  secret: string;
  person?: string;
}

/** The account that made the request. `scopes` are those of its token; a session has all of them. */
export interface Account {
  id: string;
  language: string;
  scopes: TokenScope[];
}

/** The e-mail address of an entrant; empty to delete it. */
export interface AddressInputRequest {
  email: string;
}

/** Who agreed to something, when, and to which sentence. */
export interface Agreement {
  /** An account; null: it was not stored then. */
  by?: string | null;
  at: string;
  /** As it read then; empty: on paper, or it was not stored then. */
  sentence: string;
}

/** An announcement by staff: to everybody, to a stage (`stage`) or to the players of one table (`table`). */
export interface Announcement {
  id: string;
  text: string;
  stage?: number | null;
  table?: number | null;
  made_at: string;
  until: string;
}

/** A new announcement. Without `stage` and `table` it is for everybody. */
export interface AnnouncementInputRequest {
  text: string;
  stage?: number | null;
  table?: number | null;
  minutes?: number;
}

export interface AnnouncementPage {
  count: number;
  next: string | null;
  previous: string | null;
  results: Announcement[];
}

/** Whether the move is legal. `missing` lists the facts it depends on; `error` says what cannot be read. */
export interface Answer {
  answer: AnswerEnum;
  violations: Violation[];
  missing: Missing[];
  error: unknown;
}

export type AnswerEnum = "legal" | "illegal" | "undetermined" | "unreadable";

/** The answers of an entrant by the number of the question, how a consent was given, and who agreed to what. */
export interface Answers {
  answers: { [name: string]: string };
  /**
   * Empty: none was given, or none is asked.
   *
   * * `of_age` - Of Age * `guardian` - Guardian * `paper` - Paper
   */
  consent: ConsentHow | BlankEnum;
  /** Who gave the consent, or noted it at the desk. */
  consented: Agreement | null;
  /** The sentences that were ticked, removed questions included. */
  ticked: Ticked[];
}

/** Answers by the number of the question. Questions that are left out become unanswered. */
export interface AnswersInputRequest {
  answers: { [name: string]: string };
}

/** An application for a place. An approved one became an entrant. */
export interface Application {
  id: string;
  event: string;
  person: string;
  name: string;
  full_name: string;
  status: ApplicationStatus;
  applied_at: string;
  decided_at: string | null;
  /** Why it was declined. */
  reason: string;
}

/** Who applies: you, or a `person` you act for. */
export interface ApplicationInputRequest {
  person?: string;
  answers?: { [name: string]: string };
  consent?: ConsentSaid | BlankEnum;
}

export interface ApplicationPage {
  count: number;
  next: string | null;
  previous: string | null;
  results: Application[];
}

export type ApplicationStatus = "waiting" | "approved" | "declined" | "withdrawn";

/** An audit of a log. `verdict` is empty until it is done. */
export interface Audit {
  verdict: string;
  /** SHA-256 of the report. */
  digest: string;
  computed_at: string | null;
}

/** An audit with its report and progress. Only judges see by which cards a deck differs from the decklist. */
export interface AuditDetail {
  verdict: string;
  /** SHA-256 of the report. */
  digest: string;
  computed_at: string | null;
  /** In the language of Accept-Language. */
  report: { [name: string]: unknown } | null;
  /** How the decks in the log differ from the registered decklists. */
  deck_findings: { [name: string]: unknown }[];
  state: AuditDetailStateEnum;
  /** The progress of the audit, in percent. */
  progress: number;
}

export type AuditDetailStateEnum = "done" | "pending" | "running" | "failed";

export type AuthorityEnum = "claimed" | "agreed" | "witnessed" | "ruled";

/** A prize category that was won, by one entrant or by several who share a rank. */
export interface Award {
  category: number;
  name: string;
  rule: RuleEnum;
  /** The club or faction whose best it is, if each has one. */
  group: string;
  rank: number;
  entrants: Named[];
}

/** A bye that was given before its round was paired. */
export interface AwardedBye {
  entrant: Named;
  round: number;
  kind: AwardedByeKind;
  /** By the player; otherwise awarded by staff. */
  asked: boolean;
}

/** The round, in the count of the event, and the kind of bye. */
export interface AwardedByeInputRequest {
  round: number;
  kind: AwardedByeKind;
}

export type AwardedByeKind = "zero_bye" | "half_bye" | "bye";

export interface AwardedByePage {
  count: number;
  next: string | null;
  previous: string | null;
  results: AwardedBye[];
}

/** Who stands behind a result and what proves it, with the time of each. The two are independent of each other. */
export interface Axes {
  authority: AuthorityEnum | BlankEnum;
  /** `player`, `players`, `desk` or `judge`. */
  by: string;
  authority_at: string | null;
  evidence: EvidenceEnum | BlankEnum;
  evidence_at: string | null;
  /** Whether two players report different results, before a judge acts. */
  differ: boolean;
}

/** An entry of your ban list. An e-mail address is not stored, so it is not here either. */
export interface Ban {
  id: number;
  /** The id of the person; null for an e-mail address. */
  person: string | null;
  /** The full name of the person; null for an e-mail address. */
  name: string | null;
  reason: string;
  /** The last day; null: no end. */
  until: string | null;
  made_at: string;
}

/** Whom to ban: a `person` of your player book, or an `email` address. */
export interface BanInputRequest {
  person?: string;
  email?: string;
  reason?: string;
  until?: string | null;
}

export interface BanPage {
  count: number;
  next: string | null;
  previous: string | null;
  results: Ban[];
}

export type BestOfEnum = 1 | 3 | 5;

export type BlankEnum = "";

/** The board after an entry, and how far the log was replayed. */
export interface Board {
  n: number;
  /** n, by, do, args and outcome of the entry; null at the set-up. */
  move: unknown;
  /** As `python -m engine show --json` prints it. */
  board: unknown;
  /** Entries of the log. */
  recorded: number;
  /** Entries that were replayed, the refused one included. */
  last: number;
  /** Whether the last of these was refused. */
  refused: boolean;
  /** Entries that were not simply in order: illegal or in doubt. */
  marked: number[];
  landmarks: Landmarks;
}

/** The result of a board as one of its two players reported it. */
export interface BoardReport {
  id: number;
  /** The number of the seat of the player's team: 1 or 2. */
  side: number;
  games: number[];
  status: ReportStatus;
  at: string;
}

/** The result of one board: games won by the player of seat 1, by that of seat 2, and drawn. */
export interface BoardReportInputRequest {
  games: number[];
}

/** What a member of a team scored at a board. Equal points are ordered by the rank of the team. */
export interface BoardRow {
  board: number;
  rank: number;
  person: string;
  name: string;
  /** The team. */
  entrant: string;
  team: string;
  /** Null if the team is disqualified. */
  team_rank: number | null;
  points: number;
  won: number;
  lost: number;
  drawn: number;
  games_won: number;
  games_lost: number;
}

/** What you keep about a player. */
export interface BookEntryInputRequest {
  name?: string;
  notes?: string;
}

/** A player in your player book. */
export interface BookPlayer {
  id: string;
  /** Your name for the player, or the one that the book shows. */
  name: string;
  public_name: string;
  private_name: string;
  notes: string;
  /** Whether the person has an account. */
  account: boolean;
  /** The other entries of this player. */
  others: Named[];
  events: number;
}

export interface BookPlayerPage {
  count: number;
  next: string | null;
  previous: string | null;
  results: BookPlayer[];
}

/** A variation of a log, with the report on what follows the correction. */
export interface Branch {
  id: number;
  dispute: string;
  log: string;
  n: number;
  correction: CorrectionEnum;
  /** With `continue`, a list of entries. */
  entry: unknown;
  /** An account. */
  by: string;
  at: string;
  /** In the language of Accept-Language. */
  report: { [name: string]: unknown };
}

/**
 * A correction of a log.
 *
 * `entry` replaces entry `n` or is inserted after it; `entries` follow it with `continue`; `undo` and `swap` have
 * neither.
 */
export interface BranchInputRequest {
  n: number;
  correction: CorrectionEnum;
  /** An entry of a log, without `n`. */
  entry?: { [name: string]: unknown };
  /** Entries of a log, without `n`. */
  entries?: { [name: string]: unknown }[];
}

/** An event in brief. */
export interface BriefEvent {
  id: string;
  name: string;
  status: EventStatus;
}

/** A bulk audit. */
export interface Bulk {
  id: string;
  event: string;
  options: { [name: string]: string };
  /** An account. */
  asked_by: string;
  asked_at: string;
  cancelled_at: string | null;
  finished_at: string | null;
}

export interface BulkAuditPage {
  count: number;
  next: string | null;
  previous: string | null;
  results: Bulk[];
}

/** A log whose audit came out differently, with the first entry that differs, or that could not be audited. */
export interface BulkChange {
  log: string;
  match: string;
  round: number;
  game: number;
  outcome: OutcomeEnum;
  verdict_before: string;
  verdict_after: string;
  found_before: Found | null;
  found_after: Found | null;
  /** 0 is the set-up. */
  differs_at: number | null;
}

export interface BulkChangePage {
  count: number;
  next: string | null;
  previous: string | null;
  results: BulkChange[];
}

/** A bulk audit with its progress and the verdicts that changed. */
export interface BulkDetail {
  id: string;
  event: string;
  options: { [name: string]: string };
  /** An account. */
  asked_by: string;
  asked_at: string;
  cancelled_at: string | null;
  finished_at: string | null;
  state: BulkProgress;
  verdicts: VerdictChange[];
}

/** The interpretations to audit under. Those that are left out stay as each log has them. */
export interface BulkInputRequest {
  /** By id: `{"I-SAF-13": …}` */
  options?: { [name: string]: string };
}

/** The progress of a bulk audit, counted in logs. `failed` is the number of logs that could not be audited. */
export interface BulkProgress {
  status: BulkProgressStatusEnum;
  /** 0 to 100 */
  progress: number;
  total: number;
  done: number;
  changed: number;
  failed: number;
}

export type BulkProgressStatusEnum = "running" | "done" | "cancelled" | "failed";

/** An entrant of a draft. */
export interface ByeInputRequest {
  entrant: string;
}

export type ByesOnRequestEnum = "none" | "zero_bye" | "half_bye" | "bye";

/** The calendar of your events. */
export interface Calendar {
  /** Secret; null while there is none. */
  address: string | null;
}

/** A call to a table. `judge` is an account, or null while nobody has claimed the call. */
export interface Call {
  id: string;
  match: string;
  round: number;
  table: number;
  status: CallStatusEnum;
  /**
   * Empty where nothing was said.
   *
   * * `` - Unsaid * `rules` - Rules * `mistake` - Mistake * `slow` - Slow * `private` - Private
   */
  matter: MatterEnum | BlankEnum;
  /** Who called. */
  seat?: number | null;
  called_at: string;
  judge?: string | null;
  /** Since when the judge is on the way. */
  claimed_at: string | null;
  /** Since when the judge is at the table. */
  arrived_at: string | null;
  /** The minutes that the table waited for a judge, rounded up. */
  waited: number;
  /** The time extension to propose if the call ends now: the minutes since the judge arrived; 0 for none. */
  proposed_minutes: number;
  /** Since when it is the head judge's. */
  escalated_at: string | null;
  ended_at: string | null;
}

/** What the call is about. Optional. */
export interface CallInputRequest {
  matter?: MatterEnum | BlankEnum;
}

export interface CallPage {
  count: number;
  next: string | null;
  previous: string | null;
  results: Call[];
}

export type CallStatusEnum = "waiting" | "claimed" | "resolved" | "withdrawn";

export type CallStepInputActionEnum = "claim" | "arrive" | "release" | "escalate" | "resolve";

/** What a judge does with a call. With `resolve`, `minutes` extends the table's time. */
export interface CallStepInputRequest {
  action: CallStepInputActionEnum;
  minutes?: number;
}

/** A player of the final ranking, and what becomes of them. */
export interface Candidate {
  rank: number;
  entrant: Named;
  state: CandidateStateEnum;
}

export interface CandidatePage {
  count: number;
  next: string | null;
  previous: string | null;
  results: Candidate[];
}

export type CandidateStateEnum = "enters" | "qualified" | "entered" | "dropped" | "declined" | "disqualified";

/** The member who becomes the captain. */
export interface CaptainInputRequest {
  person: string;
}

/** A card in the sample of a catalogue. */
export interface Card {
  ref: string;
  name: string;
  kind: string;
}

/** How the cards differ from those of your newest version of the catalogue. */
export interface CardChanges {
  version: number;
  /** No card differs: saving replaces the images of that version. */
  same?: boolean;
  added: number;
  changed: number;
  removed: number;
}

/** What a card of your newest version of a catalogue does. */
export interface CardEffects {
  sentences: Sentence[];
  problems: EffectProblem[];
  /** The version that it was read from. */
  catalogue: number;
  version: number;
  ref: string;
  name: string;
  kind: string;
  keywords: unknown[];
  abilities: unknown[];
  /** SHA-256 of the keywords and abilities. */
  digest: string;
}

/** What a card does from now on. `seen` is the `digest` that was read: it shows whether somebody saved first. */
export interface CardEffectsInputRequest {
  /** As docs/cards.md describes them, in printed order. */
  abilities: unknown[];
  keywords?: unknown[];
  seen: string;
}

/** A fault in a list of cards: its line, counted from 1 (0 in JSON), the column or key, and why. */
export interface CardFault {
  line: number;
  path: string;
  code: string;
  message: string;
}

/**
 * The file that a catalogue was made of: its kind, what was left out of it, and what such files lack (codes).
 *
 * `sets` has the number of cards of each set, `suspensions` that of suspensions and bans.
 */
export interface CardFile {
  kind: CardFileKindEnum;
  left_out: LeftOut[];
  lacks: string[];
  sets: { [name: string]: number };
  suspensions: number;
}

export type CardFileKindEnum = "catalogue" | "altered" | "saint-seiya" | "wakfu" | "table" | "spreadsheet";

/** A card catalogue that an event may use. `version` is 0 for one that is shipped with the engine. */
export interface Catalogue {
  catalog: string;
  version: number;
  sha256: string;
  cards: number;
  chosen: boolean;
}

/** A version of a catalogue, with its first cards, what the linter found, and the file it was made of. */
export interface CatalogueDetail {
  id: number;
  game: string;
  catalog: string;
  version: number;
  sha256: string;
  cards: number;
  /** The club that it was given to. */
  club?: string | null;
  kept_at: string;
  look: Look;
  file: CardFile | null;
  images: ImageCount;
}

/** The catalogue to use, and the entrants whose decklists may become legal or illegal with it. */
export interface CatalogueInputRequest {
  sha256: string;
  accept?: string[];
}

/**
 * An uploaded list of cards.
 *
 * `status` is `sent` until the list has been read, then `readable` or `faulty`, and `kept` once it is saved as a
 * catalogue.
 */
export interface CatalogueUpload {
  id: string;
  status: string;
  /** Percent. */
  progress: number;
  /** The code of the refusal that stopped it. */
  error: string;
  /** The id that it has, or would have. */
  catalog: string;
  cards: number;
  faults: CardFault[];
  /** Empty unless the file says it. */
  game: string;
  file: CardFile | null;
  /** Null for the first version. */
  changes: CardChanges | null;
  look: Look | null;
  images: ImageCount;
  /** The catalogue that was created from it. */
  kept: number | null;
}

/** A prize category, in the order in which they are given. */
export interface Category {
  number: number;
  name: string;
  rule: RuleEnum;
  question?: number | null;
  /** The answer, club or faction; empty: each of them. */
  value: string;
  /** The ids of the entrants who were picked. */
  entrants: string[];
}

/** What to change in a prize category. Whatever is left out stays. */
export interface CategoryChangeInputRequest {
  name?: string;
  /** Those picked. */
  entrants?: string[];
}

/** A new prize category. `question` and `value` are the number of a question and an answer to it. */
export interface CategoryInputRequest {
  name: string;
  rule: RuleEnum;
  question?: number | null;
  /** The answer, club or faction. */
  value?: string;
  /** Those picked. */
  entrants?: string[];
  /** Confirms that everybody may learn the answer or club of the winners. */
  makes_known?: boolean;
}

/** Whether the category is given one place earlier or later. */
export interface CategoryMoveInputRequest {
  earlier: boolean;
}

/** The prize of a category, and who wins it: several if they share a rank. */
export interface CategoryPrize {
  category: number;
  name: string;
  /** The club or faction whose best it is, if each has one. */
  group: string;
  rank: number;
  entrants: string[];
  /** Those of the entrants whose prize was marked as handed out. */
  handed_out: string[];
}

/** A seat at the player meeting. */
export interface Chair {
  number: number;
  table: number;
  entrant: Named;
  owes_deck: boolean;
}

export interface ChairPage {
  count: number;
  next: string | null;
  previous: string | null;
  results: Chair[];
}

/** A table with different players, by their ids. `table` is null for the bye. */
export interface Change {
  table: number | null;
  was: string[];
  now: string[];
}

/** A table before and after the change: the entrants, seat by seat. `table` is null for byes. */
export interface Changed {
  table: number | null;
  was: string[];
  now: string[];
}

/** What changed between two versions of the standings. Both are null while there is nothing to compare with. */
export interface Changes {
  before: number | null;
  after: number | null;
  /** How many places qualify; 0 for none. */
  cut: number;
  /** Of all who moved, however few are sent. */
  count: number;
  moved: Move[];
}

/** The last check of an event, and the progress of a requested one: poll until `state` is `done` or `failed`. */
export interface Check {
  event: string;
  state: CheckStateEnum;
  /** 0 to 100 */
  progress: number;
  error: string;
  /** Null before the first check. */
  last: LastCheck | null;
}

export type CheckStateEnum = "none" | "asked" | "running" | "done" | "failed";

/** The reason for a claim or an appeal. */
export interface ClaimInputRequest {
  reason: string;
}

/** Another event at the same time that you, or a child of yours, have also entered. */
export interface Clash {
  event: string;
  name: string;
  starts_at: string;
  ends_at: string;
}

/** The clock of a round. Count down to `ends_at`, correcting your own clock by its difference to `server_now`. */
export interface Clock {
  /**
   * `stopped`: its round is closed.
   *
   * * `ready` - ready * `scheduled` - scheduled * `running` - running * `paused` - paused * `stopped` - stopped
   */
  state: ClockStateEnum;
  /** The length of the round, minutes added to all included. */
  seconds: number;
  /** Negative once time is called. */
  seconds_left: number;
  /** While `scheduled`. */
  starts_at: string | null;
  ends_at: string | null;
  server_now: string;
}

export type ClockInputActionEnum = "start" | "cancel" | "pause" | "resume" | "extend";

/** An action on the clock of a round. */
export interface ClockInputRequest {
  action: ClockInputActionEnum;
  /** With `extend`. */
  minutes?: number;
}

export type ClockStateEnum = "ready" | "scheduled" | "running" | "paused" | "stopped";

/** A copy of an event. */
export interface CloneInputRequest {
  name: string;
  starts_at?: string | null;
  /** Accept a start in the past. */
  acknowledged?: boolean;
}

/** A club in a list. */
export interface Club {
  id: string;
  name: string;
  place: string;
  /** How many public events it holds or held. */
  events: number;
}

/** A club with its venues, conventions and your own roles. */
export interface ClubDetail {
  id: string;
  name: string;
  place: string;
  /** Markdown. */
  about: string;
  contact: string;
  link: string;
  /** How long head judges of its events see penalties given at its other events; 0: never. */
  penalty_months: number;
  venues: Venue[];
  conventions: Named[];
  /** The address of its calendar file. */
  calendar: string;
  /** Your own. */
  roles: ClubRoleName[];
}

/** An event of a club. */
export interface ClubEvent {
  id: string;
  name: string;
  status: EventStatus;
  starts_at: string | null;
}

/** An event, by id. */
export interface ClubEventInputRequest {
  event: string;
}

export interface ClubEventPage {
  count: number;
  next: string | null;
  previous: string | null;
  results: ClubEvent[];
}

/** The account that becomes the owner of the club in your place. */
export interface ClubHandOverInputRequest {
  email: string;
  /** Whether you stay as an organizer. */
  stay?: boolean;
}

export interface ClubPage {
  count: number;
  next: string | null;
  previous: string | null;
  results: Club[];
}

/** A penalty that was given at another event of the club, without what the judge wrote. */
export interface ClubPenalty {
  event: Named;
  infraction: string;
  level: PenaltyLevel;
  at: string;
}

/** Who has which role in a club. */
export interface ClubRole {
  id: number;
  account: string;
  name: string;
  role: ClubRoleName;
}

/** A role for the account with this e-mail address. */
export interface ClubRoleInputRequest {
  email: string;
  role: ClubRoleName;
}

export type ClubRoleName = "owner" | "organizer" | "scorekeeper" | "head_judge" | "judge";

/** A code that lowers a price. */
export interface Code {
  id: string;
  code: string;
  percent: number | null;
  cents_off: number | null;
  uses: number | null;
  /** Open and paid payments. */
  used?: number;
  until: string | null;
}

export type CodeEnum = "matches_missing" | "ranks" | "structure" | "missing_rounds" | "late_losses" | "game_points" | "multiplayer" | "third_place" | "open_matches" | "groups" | "divisions" | "cuts" | "waiting" | "decklists" | "deck_links" | "deck_names" | "identities" | "ratings" | "titles" | "genders" | "pronouns" | "birth_dates" | "federations" | "teams" | "ids" | "contacts" | "staff" | "game" | "lines" | "columns" | "keys";

/** A new code. It takes off either a percentage or an amount. */
export interface CodeInputRequest {
  code: string;
  percent?: number | null;
  cents_off?: number | null;
  uses?: number | null;
  until?: string | null;
}

export type ColumnsEnum = "given_name" | "family_name" | "name" | "name_last_first" | "club" | "table" | "email" | "decklist";

/** Whether to invite those whose e-mail address is in the file to take over their entries. */
export interface ConfirmImportInputRequest {
  invite?: boolean;
}

/** The report that you read. */
export interface ConfirmInputRequest {
  report: number;
}

export type ConsentHow = "of_age" | "guardian" | "paper";

/** Whether a guardian consented on paper; false takes any consent back. */
export interface ConsentInputRequest {
  noted: boolean;
}

export type ConsentSaid = "of_age" | "guardian";

/** How players can reach the organizer. If empty, nothing is shown. */
export interface ContactInputRequest {
  contact: string;
}

/** The report that you read, and what is wrong with it. */
export interface ContestInputRequest {
  report: number;
  reason?: string;
}

/** A convention, with the events that you may see. */
export interface Convention {
  id: string;
  club: string;
  name: string;
  /** Markdown. */
  about: string;
  place: string;
  hall: string;
  first_day: string;
  last_day: string;
  is_public: boolean;
  events: Share[];
}

export type CorrectionEnum = "undo" | "replace" | "insert" | "swap" | "continue";

/** The copies counted of each card on the decklist. Cards that are left out were as listed. */
export interface CountInputRequest {
  counted?: { [name: string]: number };
  others?: string;
  minutes?: number;
}

/** A card whose counted number of copies differs from the decklist. */
export interface Counted {
  card: string;
  listed: number;
  counted: number;
}

export type CrossedEnum = "in" | "out";

/** The applications on which was decided, and those for which it was refused. */
export interface Decided {
  done: string[];
  refused: RefusedApplication[];
}

export type DecisionInputDecisionEnum = "approve" | "decline";

/** Applications to one event, by id, and what the desk decides on each of them. */
export interface DecisionInputRequest {
  decision: DecisionInputDecisionEnum;
  applications: string[];
  /** With `decline`: the reason that the applicants read. */
  reason?: string;
}

/** A deck check: the cards on the decklist and, once it is finished, the differences that were counted. */
export interface DeckCheck {
  id: string;
  match: string;
  table: number;
  entrant: string;
  /** In a team, the person whose deck it is; else null. */
  member?: string | null;
  version?: number | null;
  /** Null for a chosen table. */
  seed: number | null;
  opened_at: string;
  done_at: string | null;
  /** The copies of each card on the decklist. */
  listed: { [name: string]: number };
  differences: Counted[];
  /** Cards that are not on the list. */
  others: string;
  /** Given to the table in the same action. */
  minutes: number;
}

export interface DeckCheckPage {
  count: number;
  next: string | null;
  previous: string | null;
  results: DeckCheck[];
}

/** A set of deck rules that the engine has for a game. */
export interface DeckFormat {
  id: string;
  ruleset: string;
  /** Whether decks are built from a pool. */
  pooled: boolean;
  /** Whether copies can be limited across the decks of a team. */
  limits_teams: boolean;
  options: DeckOption[];
}

/** The deck rules to choose, with the options that differ from the default. */
export interface DeckFormatInputRequest {
  format: string;
  options?: { [name: string]: string };
  team_limit?: number | null;
}

/** The deck rules that decklists are checked against, and those that could be chosen. */
export interface DeckFormats {
  /** Empty: they are not. */
  format: string;
  /** Those that are not the default. */
  options: { [name: string]: string };
  /** The most copies of a card across the decks of a team; null: no limit. */
  team_limit: number | null;
  formats: DeckFormat[];
}

/** An interpretation that a deck format reads. */
export interface DeckOption {
  id: string;
  /** In the language of Accept-Language. */
  why: string;
  default: string;
  /** What each option says. */
  choices: { [name: string]: string };
}

/** The current version of a decklist. */
export interface Decklist {
  entrant: string;
  /** In a team, the person whose list it is; else null. */
  member?: string | null;
  stage: number;
  version: number;
  digest: string;
  legal: boolean;
  /** False for a game that the engine does not know. */
  checked: boolean;
  violations: Violation[];
  notes: ListNote[];
  cards: unknown;
  text: string;
  submitted_at: string;
}

export type DecklistEnum = "missing" | "legal" | "illegal" | "unchecked";

/** A decklist or pool, as it was pasted. */
export interface DecklistInputRequest {
  text: string;
}

export type DelimiterEnum = "comma" | "semicolon" | "tab" | "bar";

/**
 * A message and its attempts.
 *
 * `id` is sent as its `webhook-id`; `number` is that of the ledger entry.
 */
export interface Delivery {
  id: string;
  type: string;
  event: string;
  number: number | null;
  status: DeliveryStatusEnum;
  attempts: number;
  /** The HTTP status of the last answer. */
  answer: number | null;
  /** Why there was none. */
  error: string;
  created_at: string;
  tried_at: string | null;
  /** When the next attempt is due, while it is `pending`. */
  next_at: string;
}

export interface DeliveryPage {
  count: number;
  next: string | null;
  previous: string | null;
  results: Delivery[];
}

export type DeliveryStatusEnum = "pending" | "delivered" | "failed";

/** The result entered by the desk. The owner of a finished event can reopen it with the same request. */
export interface DeskResultInputRequest {
  /** For a match of two: games won by seat 1, by seat 2, and drawn. */
  games?: number[];
  /** For a multiplayer table: rank and victory points of each seat, in order. */
  places?: PlaceRequest[];
  /** For a team match: games won by seat 1, by seat 2, and drawn, for each board in order. */
  boards?: number[][];
  /** `newest_report` of the match as you read it: refused if another report has come in since. */
  seen?: number;
  kind?: StaffResultKind;
  reason?: string;
  /** You have read what changes and what stands: the details of `affects_later`. */
  acknowledged?: boolean;
  /** Reopen a finished event to correct this result; needs the `reason`. Owners. */
  reopen?: boolean;
}

/** The details of an event: name, description, capacity, place and times. Whatever is left out stays. */
export interface DetailsInputRequest {
  name?: string;
  capacity?: number | null;
  place?: string;
  /** Such as `Europe/Paris`. */
  time_zone?: string;
  starts_at?: string | null;
  /** Accept a start in the past. */
  acknowledged?: boolean;
  /** Markdown. */
  description?: string;
  link?: string;
  fee?: string;
  lists?: ListsEnum;
  registration_opens_at?: string | null;
  registration_closes_at?: string | null;
  lists_due_at?: string | null;
}

/** A device that shows your notifications. */
export interface Device {
  id: string;
  browser: string;
  created_at: string;
  /** When its push service last accepted one. */
  pushed_at: string | null;
  failing_since: string | null;
}

export type DeviceEnum = "own" | "judge";

/** A push subscription, as a browser gives it, and what to call the device. */
export interface DeviceInputRequest {
  endpoint: string;
  p256dh: string;
  auth: string;
  browser?: string;
}

/** A fact that both positions know and that differs; for rows and piles, the cards that are only in one of them. */
export interface Difference {
  fact: string;
  one: unknown;
  two: unknown;
}

export type DisabledForEnum = "failing" | "gone" | "asked";

/** A dispute, with its claims, appeals and rulings. */
export interface Dispute {
  id: string;
  match: string;
  status: DisputeStatusEnum;
  opened_at: string;
  appealed_at: string | null;
  /** The claims and appeals, oldest first. */
  sayings: { [name: string]: unknown }[];
  /** The rulings, oldest first. */
  rulings: { [name: string]: unknown }[];
}

export interface DisputePage {
  count: number;
  next: string | null;
  previous: string | null;
  results: Dispute[];
}

export type DisputeStatusEnum = "open" | "ruled" | "appealed";

/** The clock of a draft: its current step, and all steps. */
export interface Draft {
  state: DraftStateEnum;
  /** Of the step, from 1. */
  number: number;
  /** Null once the draft is over. */
  step: DraftStep | null;
  /** Of this step. */
  seconds_left: number;
  /** When this step ends, while it runs. */
  ends_at: string | null;
  /** When all decks are built, while it runs. */
  closes_at: string | null;
  server_now: string;
  steps: DraftStep[];
}

export type DraftInputActionEnum = "start" | "pause" | "resume" | "move" | "undo";

/** An action on the clock of a draft. */
export interface DraftInputRequest {
  action: DraftInputActionEnum;
  /** With `move`. */
  step?: number;
}

export type DraftStateEnum = "ready" | "running" | "paused" | "over";

/** One step of a draft: a pick, the time between two boosters, or deck building. */
export interface DraftStep {
  phase: PhaseEnum;
  seconds: number;
  /** From 1; 0 while decks are built. */
  booster: number;
  /** From 1; 0 outside a pick. */
  pick: number;
  /** Cards to choose from; 0 outside a pick. */
  cards: number;
  /**
   * Where the other cards are passed: `L` is to the next seat, clockwise.
   *
   * * `L` - L * `R` - R * `` -
   */
  passing: PassingEnum | BlankEnum;
}

/** A drop. With `concede`, the opponent wins the match in progress. */
export interface DropInputRequest {
  concede?: boolean;
}

export type DueEnum = "waiting" | "late" | "game_loss" | "match_loss";

/** An entry of a file that cannot be used, and why, in English. */
export interface EffectFault {
  ref: string;
  why: string;
}

/**
 * A problem, or a hint, of one card.
 *
 * `ability` is the number of the ability it is in, from 0, null for the whole card; `path` leads to it there. The
 * suggestions are meant for the value at the path, or for the unknown `key` in the object at the path.
 */
export interface EffectProblem {
  code: string;
  hint: boolean;
  ability: number | null;
  path: string;
  key: string;
  /** In English. */
  message: string;
  suggestions: string[];
}

/** Which cards a file changes, by reference, and what of it cannot be used. */
export interface EffectsApplied {
  /** The newest version, with the changes unless this was a preview. */
  catalogue: number;
  version: number;
  changed: string[];
  same: string[];
  unknown: string[];
  faulty: EffectFault[];
}

/** A file of effects: by reference, the `abilities` and perhaps the `keywords` of a card. */
export interface EffectsApplyInputRequest {
  effects: { [name: string]: unknown };
  /** Only report what would change. */
  preview?: boolean;
}

/** A card to be read, of which only its kind is needed, with its abilities. */
export interface EffectsInputRequest {
  kind: string;
  keywords?: unknown[];
  /** As docs/cards.md describes them, in printed order. */
  abilities: unknown[];
}

/** The sentence of each ability, and the problems of the card. */
export interface EffectsRead {
  sentences: Sentence[];
  problems: EffectProblem[];
}

export type EncodingEnum = "utf-8" | "utf-16" | "windows-1252" | "windows-1250" | "mac-roman";

/** A match of two players, seen from the first. */
export interface Encounter {
  id: string;
  event: BriefEvent;
  round: number;
  /** `won`, `lost` or `drawn`. */
  outcome: string;
}

/** An entrant whose name was just entered. */
export interface Entered {
  id: string;
  name: string;
  /** The full name; null unless you are staff of the event. */
  full_name: string | null;
  status: EntrantStatus;
  registered_at: string;
  checked_in_at: string | null;
  /** Rounds paired before the drop. */
  dropped_after: number | null;
  /** A name of the event that looks like this one but is spelled with other characters, such as Cyrillic ones. */
  looks_like: string | null;
  known: KnownPlayer[];
}

/** An entrant as anybody may see it. Staff of the event also get the full name. */
export interface Entrant {
  id: string;
  name: string;
  /** The full name; null unless you are staff of the event. */
  full_name: string | null;
  status: EntrantStatus;
  registered_at: string;
  checked_in_at: string | null;
  /** Rounds paired before the drop. */
  dropped_after: number | null;
}

/** An empty body to register yourself, a person you act for, or from the desk a name or a `known` person. */
export interface EntrantInputRequest {
  person?: string;
  /** From the desk: the id of a person known from an earlier event. */
  known?: string;
  given_name?: string;
  family_name?: string;
  answers?: { [name: string]: string };
  consent?: ConsentSaid;
  /** Enter the name although somebody in the event has it: it is another person. */
  another?: boolean;
}

/** The corrected name of a person without an account. */
export interface EntrantNameInputRequest {
  given_name: string;
  family_name?: string;
  /** The family name comes first. */
  family_first?: boolean;
  /** The person agreed that everybody may see the whole name. */
  shown_in_full?: boolean;
}

export interface EntrantPage {
  count: number;
  next: string | null;
  previous: string | null;
  results: Entrant[];
}

export type EntrantStatus = "registered" | "waiting" | "dropped";

/** How an entrant's entry fee was settled; empty while it is owed. */
export interface Entry {
  entrant: string;
  how: string;
}

/** The signature from the claim link, and the person the entry is for: yourself if left out. */
export interface EntryClaimInputRequest {
  signature: string;
  person?: string;
}

/** How the entry fee was settled: `paid`, `voucher`, or empty to undo it. */
export interface EntryInputRequest {
  how: string;
}

/** What has become of inviting an entrant. */
export interface EntryInvitation {
  entrant: string;
  name: string;
  state: EntryInvitationStateEnum;
  /** Where the e-mail is sent; empty if there is none. */
  email: string;
  /** When the last e-mail was sent. */
  sent_at: string | null;
  /** When the invitation expires and the address is deleted. */
  expires_at: string | null;
}

export interface EntryInvitationPage {
  count: number;
  next: string | null;
  previous: string | null;
  results: EntryInvitation[];
}

export type EntryInvitationStateEnum = "not_invited" | "no_address" | "sending" | "invited" | "opened" | "taken_over" | "account";

/** An event as anybody may see it. `playing` is the number of registered entrants. */
export interface Event {
  id: string;
  name: string;
  status: EventStatus;
  preset: string;
  /** Empty: the engine does not know it. */
  game: string;
  game_name: string;
  ruleset: string;
  catalog: string;
  catalog_sha256: string;
  capacity: number | null;
  starts_at: string | null;
  place: string;
  /** The time zone of the place; empty: unknown. */
  time_zone: string;
  /** How players can reach the organizer. */
  contact: string;
  /** Another page about the event. */
  link: string;
  /** A note on the entry fee, shown with the price. */
  fee: string;
  /**
   * Whether players submit decklists.
   *
   * * `required` - Required * `optional` - Optional * `none` - None
   */
  lists: ListsEnum;
  /** Players of a team; 1: everybody plays alone. */
  team_size: number;
  /**
   * Whether teams have one result, or boards.
   *
   * * `together` - Together * `boards` - Boards
   */
  team_play: TeamPlayEnum;
  /** How many substitutes a team may have. */
  substitutes: number;
  /** Whether the desk decides on each registration. */
  approval: boolean;
  /** Players under this age need a guardian's consent; null: nobody needs it. */
  consent_under: number | null;
  /**
   * Who can find and see it.
   *
   * * `public` - Public * `unlisted` - Unlisted * `private` - Private
   */
  listing: Listing;
  /** Null: as soon as the event is public. */
  registration_opens_at: string | null;
  /** Null: until the lists are locked. */
  registration_closes_at: string | null;
  /** Whether players can register now. */
  registration: RegistrationEnum;
  /** Null: until the lists are locked. */
  lists_due_at: string | null;
  created_at: string;
  playing: number;
  stages: Stage[];
}

/** One event, with its revision and your own roles at it. */
export interface EventDetail {
  id: string;
  name: string;
  status: EventStatus;
  preset: string;
  /** Empty: the engine does not know it. */
  game: string;
  game_name: string;
  ruleset: string;
  catalog: string;
  catalog_sha256: string;
  capacity: number | null;
  starts_at: string | null;
  place: string;
  /** The time zone of the place; empty: unknown. */
  time_zone: string;
  /** How players can reach the organizer. */
  contact: string;
  /** Another page about the event. */
  link: string;
  /** A note on the entry fee, shown with the price. */
  fee: string;
  /**
   * Whether players submit decklists.
   *
   * * `required` - Required * `optional` - Optional * `none` - None
   */
  lists: ListsEnum;
  /** Players of a team; 1: everybody plays alone. */
  team_size: number;
  /**
   * Whether teams have one result, or boards.
   *
   * * `together` - Together * `boards` - Boards
   */
  team_play: TeamPlayEnum;
  /** How many substitutes a team may have. */
  substitutes: number;
  /** Whether the desk decides on each registration. */
  approval: boolean;
  /** Players under this age need a guardian's consent; null: nobody needs it. */
  consent_under: number | null;
  /**
   * Who can find and see it.
   *
   * * `public` - Public * `unlisted` - Unlisted * `private` - Private
   */
  listing: Listing;
  /** Null: as soon as the event is public. */
  registration_opens_at: string | null;
  /** Null: until the lists are locked. */
  registration_closes_at: string | null;
  /** Whether players can register now. */
  registration: RegistrationEnum;
  /** Null: until the lists are locked. */
  lists_due_at: string | null;
  created_at: string;
  playing: number;
  stages: Stage[];
  /** The number of its last ledger entry. */
  revision: number;
  /** Markdown. */
  description: string;
  /** The address of its page. */
  page: string;
  /** The address of a picture of 1200 by 630; null for a draft. */
  preview: string | null;
  /** The address of a calendar file; null without a start. */
  calendar: string | null;
  /** The addresses of frames for other sites; null if no site may embed them. */
  widgets: Widgets | null;
  /** Your own. */
  roles: StaffRoleName[];
  /** The club that holds it. */
  club: Named | null;
  /** The public convention that it is part of. */
  convention: Named | null;
}

/** An event file, kept for a day from `asked_at`. Poll until it is `ready`, or until `error` says why it failed. */
export interface EventFile {
  id: string;
  event: string;
  names: boolean;
  asked_at: string;
  ready: boolean;
  /** 0 to 100 */
  progress: number;
  error: string;
}

/** What the file should contain. */
export interface EventFileInputRequest {
  /** False: only the main part. */
  names?: boolean;
}

/** A new event. */
export interface EventInputRequest {
  name: string;
  /** A preset, or a format of your own. */
  preset: string;
  capacity?: number | null;
  starts_at?: string | null;
  /** Accept a start in the past. */
  acknowledged?: boolean;
  rounds?: number | null;
  best_of?: BestOfEnum | NullEnum | null;
  round_minutes?: number | null;
  game_name?: string;
  /**
   * The structure of its first stage.
   *
   * * `swiss` - Swiss * `pods` - Pods * `tables` - Tables * `round_robin` - Round Robin * `single_elimination` - Single
   * Elimination * `double_elimination` - Double Elimination
   */
  kind?: StageKind;
  /**
   * If left out, the format's choice.
   *
   * * `required` - Required * `optional` - Optional * `none` - None
   */
  lists?: ListsEnum;
  /** The time zone of the place, such as `Europe/Paris`. */
  time_zone?: string;
  /** The SHA-256 of its card catalogue. If left out, your newest of the game, or else the operator's. */
  catalogue?: string;
}

export interface EventPage {
  count: number;
  next: string | null;
  previous: string | null;
  results: Event[];
}

/** A question to everybody who registers. */
export interface EventQuestion {
  number: number;
  kind: QuestionKind;
  /** The question; of a consent, the sentence to tick. */
  label: string;
  help: string;
  /** Of a choice, in order. */
  options: string[];
  required: boolean;
}

/** What to change in a question. */
export interface EventQuestionChangeInputRequest {
  label?: string;
  help?: string;
  options?: string[];
  required?: boolean;
}

/** A new question. Options are for a choice alone. */
export interface EventQuestionInputRequest {
  label: string;
  help?: string;
  options?: string[];
  required?: boolean;
  kind: QuestionKind;
}

export type EventStatus = "draft" | "registration" | "locked" | "check_in" | "running" | "finished" | "archived" | "cancelled";

export type EveryEnum = "weekly" | "fortnightly" | "monthly";

export type EvidenceEnum = "plausible" | "consistent" | "replayed";

/** A fault, or something that was not checked: its code, and where it is. */
export interface Fault {
  code: string;
  line: number;
  where: string;
  detail: string;
}

/** A match that the public can follow. */
export interface Feature {
  match: string;
  round: number;
  table: number;
  /** Minutes from when a move is received until the public sees it. */
  delay: number;
  named_at: string;
}

/** The delay with which the public follows the match, in minutes. */
export interface FeatureInputRequest {
  delay?: number;
}

/** A figure and the parts it is made of. `how` says how they are combined. */
export interface Figure {
  name: string;
  /** A decimal of 12 digits. */
  value: string;
  exact: string;
  how: HowEnum;
  parts: Part[];
}

/** One ranking over all stages. `winners` is empty until the event is over. */
export interface Final {
  /** False while the event is played: places may change. */
  final: boolean;
  winners: Winner[];
  /** The winners of the prize categories, as you may see them. */
  categories: Award[];
  /** Of all rows, however few are sent. */
  count: number;
  rows: FinalRow[];
}

/** A row of the ranking over all stages. Points, record and byes are those of the first stage. */
export interface FinalRow {
  rank: number;
  entrant: Named;
  points: number;
  /** Won, lost, drawn, without byes. */
  record: number[];
  /** Byes, each worth a match won; the record leaves them out. */
  byes: number;
  /** The stage that gave the rank. */
  stage: number;
}

export type FloorEnum = "1/3" | "0.33" | "0.25" | "none";

/** An event or a player that you follow; the other one is null. */
export interface Follow {
  event: BriefEvent | null;
  player: Player | null;
  since: string;
}

/** In how many minutes the clock of the next round starts. */
export interface FollowInputRequest {
  minutes?: number;
  /** Pair the round even if nobody meets in it. */
  acknowledged?: boolean;
}

export interface FollowPage {
  count: number;
  next: string | null;
  previous: string | null;
  results: Follow[];
}

/** Two entrants who must not meet, and why. */
export interface ForbiddenPair {
  id: number;
  first: Named;
  second: Named;
  reason: string;
  at: string;
}

/** Two entrants, by id, and the reason. */
export interface ForbiddenPairInputRequest {
  first: string;
  second: string;
  reason: string;
}

export interface ForbiddenPairPage {
  count: number;
  next: string | null;
  previous: string | null;
  results: ForbiddenPair[];
}

/** What an audit found: the refused entry `n` and the winner. */
export interface Found {
  n: number | null;
  winner: string | null;
}

/** One game, as its audits found it. */
export interface Game {
  number: number;
  /** A seat. */
  winner?: number | null;
  ended: string;
  evidence: EvidenceEnum | BlankEnum;
  report_digest: string;
}

/** A game of a table, with its newest recording. */
export interface GameToRecord {
  number: number;
  recording?: string | null;
  handed_in: boolean;
}

export type GestureEnum = "check_in" | "undo_check_in" | "drop" | "reinstate" | "paid" | "owed";

export type GoalEnum = "play_on" | "archive";

export type GoalsEnum = "play_on" | "archive" | "entrants";

/** The e-mail address of the new owner's account, and whether you stay as an organizer. */
export interface HandOverInputRequest {
  email: string;
  stay?: boolean;
}

/** How two players did against each other, seen from the first. */
export interface HeadToHead {
  first: Player;
  second: Player;
  record: Record;
  by_game: Season[];
  /** The newest hundred, newest first. */
  matches: Encounter[];
}

/** The penalties of an entrant at its event, and the level now proposed for each infraction. */
export interface History {
  penalties: Penalty[];
  proposals: { [name: string]: "warning" | "game_loss" | "match_loss" | "disqualification" };
}

export type HowEnum = "sum" | "mean" | "share" | "count" | "order" | "rounded";

/** How many cards have an image, and of how many it is not shown, by the host that this site does not allow. */
export interface ImageCount {
  cards: number;
  not_shown: { [name: string]: number };
}

/**
 * A file of entrants. `status` is `open` until it is confirmed, and `done` once everybody is entered.
 *
 * While it is open, the counts and lines show what confirming it would do.
 */
export interface Import {
  id: string;
  event: string;
  status: ImportStatus;
  reading: Read;
  /** 0 to 100 */
  progress: number;
  /** The code of the refusal that stopped it. */
  error: string;
  entered: number;
  /** Those of them on the waiting list. */
  waiting: number;
  /** Empty once it is confirmed. */
  lines: ImportLine[];
  refused: RefusedLine[];
  /** Lines that may name somebody on the organizer’s ban list. */
  banned: number[];
  /** Lines whose name looks like another one but is spelled with other characters. */
  twins: number[];
  /** Lines with the names of known players: say with `rows` who is the same player. */
  known: KnownLine[];
  /** The decklists of the file, which a job submits. */
  lists: ImportedLists;
}

/** The file as text: a CSV file, or a list with one name per line. */
export interface ImportInputRequest {
  encoding?: EncodingEnum;
  delimiter?: DelimiterEnum;
  /** Whether the first line names the columns. */
  header?: boolean;
  /** What each column is; empty for one that is ignored. */
  columns?: (ColumnsEnum | BlankEnum)[];
  /** Also enter people whose name is already in the event. */
  twice?: boolean;
  /** Where a name is an e-mail address, call the player “Player 1” and so on. */
  numbered?: boolean;
  /** Decisions about single lines, added to earlier ones. */
  rows?: RowInputRequest[];
  text: string;
}

/** A line that would enter somebody. */
export interface ImportLine {
  line: number;
  given_name: string;
  family_name: string;
  /** Whether the last name is said before the first name. */
  family_first: boolean;
  club: string;
  table: number | null;
  /** Empty: none, or none that can be read. */
  email: string;
  /** The player known from an earlier event whom the line enters; empty: a new player. */
  person: string;
  /** `name_split`: where the last name begins is a guess. */
  doubts: string[];
}

export type ImportStatus = "open" | "confirmed" | "done";

/** What becomes of the decklists of a file. While it is open: what confirming it would do. */
export interface ImportedLists {
  legal: number;
  illegal: number;
  /** Of a game that the engine does not know. */
  unchecked: number;
  /** Not checked yet. */
  later: number;
  /** The code of the problem that excludes every list. */
  refusal: string;
  problems: ListProblem[];
  /** 0 to 100; null until the file is confirmed. */
  progress: number | null;
}

/** An infraction with its ladder: the level proposed the first time, the second, and so on. */
export interface Infraction {
  category: string;
  infraction: string;
  ladder: LadderEnum[];
}

export type InfractionEnum = "board_mixed_up" | "bribe" | "cards_drawn" | "cards_marked" | "cards_seen" | "cheating" | "deck_wrong" | "instruction_ignored" | "insult" | "late" | "list_missing" | "list_wrong" | "misplay" | "missed" | "outside_help" | "poor_shuffle" | "result_by_chance" | "slow_play" | "stalling" | "unsporting" | "violence" | "wrong_report";

/** A role that can be accepted once by anybody who has the link. */
export interface Invitation {
  id: string;
  role: StaffRoleName;
  /** The only table of a scribe; null: every table. */
  table: number | null;
  /** Where the link was sent; empty: it is handed over in person. */
  email: string;
  made_at: string;
  expires_at: string;
  /** The page on which the role is accepted. The address contains the secret. */
  link: string;
}

/** A role, and the e-mail address to send the link to. */
export interface InvitationInputRequest {
  role: StaffRoleName;
  table?: number | null;
  email?: string;
}

/** Whom to invite: without `entrants`, everybody not yet invited; with `again`, those who have not answered. */
export interface InviteEntrantsInputRequest {
  entrants?: string[] | null;
  again?: boolean;
}

/** How many e-mails will be sent, and how many of the event are not sent yet. */
export interface Invited {
  invited: number;
  /** E-mails that are still to be sent. */
  waiting: number;
  /** Whether sending has failed. */
  stopped: boolean;
}

/** A saved board, without the board itself. */
export interface KeptPosition {
  id: string;
  match: string;
  /** SHA-256 of the board and of the digests of its photos. */
  digest: string;
  /** The entry that was asked. */
  move: unknown;
  /** The engine's answer when it was saved. */
  answer: string;
  /** An account. */
  by: string;
  at: string;
}

/** A saved board as you may see it: judges see all of it with the photos, players not the hidden cards of others. */
export interface KeptPositionDetail {
  id: string;
  match: string;
  digest: string;
  at: string;
  board: unknown;
  position: unknown;
  photos: Photo[];
  signatures: Signature[];
}

export interface KeptPositionPage {
  count: number;
  next: string | null;
  previous: string | null;
  results: KeptPosition[];
}

export type KindsEnum = "event" | "staff" | "entrant" | "meeting" | "deck" | "decks" | "pool" | "stage" | "pair" | "bye" | "round" | "clock" | "table" | "result" | "standings" | "call" | "penalty" | "check" | "dispute" | "log" | "game" | "recording" | "bulk" | "announcement" | "feature" | "prize" | "webhook" | "position" | "application" | "question" | "answers" | "consent" | "payment";

/** A line whose name players known from earlier events have. */
export interface KnownLine {
  line: number;
  players: KnownPlayer[];
}

/** A player whom the desk knows from earlier events; `event` is the last one. */
export interface KnownPlayer {
  person: string;
  name: string;
  event: string;
  event_name: string;
  starts_at: string | null;
}

export type LadderEnum = "warning" | "game_loss" | "match_loss" | "disqualification";

/** The entries of a log that one wants to jump to, the first 200 of each kind. */
export interface Landmarks {
  /** The refused entry. */
  illegal: number[];
  /** Entries that are not certain. */
  doubts: number[];
  /** Entries by a judge. */
  rulings: number[];
  /** Entries with noted figures. */
  claims: number[];
}

export type LanguageEnum = "fr" | "en" | "it";

/** The last check of an event, made at night or on request. */
export interface LastCheck {
  at: string;
  /** The ledger entry up to which the event was checked. */
  entry: number;
  /** The number of faults. */
  faulty: number;
  checked: { [name: string]: number };
  /** What was not checked. */
  left: Fault[];
  /** The first 200; null for those who are not staff. */
  faults: Fault[] | null;
}

/** An empty seat, and what is due there. */
export interface LateSeat {
  match: string;
  table: number;
  seat: number;
  entrant: Named;
  since: string;
  due: DueEnum;
  next_at: string | null;
  game_lost_at: string | null;
}

export interface LateSeatPage {
  count: number;
  next: string | null;
  previous: string | null;
  results: LateSeat[];
}

export type LatenessInputActionEnum = "empty" | "filled" | "game_loss" | "match_loss";

/** An action at an empty seat. `seat` is its number, not needed for `match_loss`. */
export interface LatenessInputRequest {
  action: LatenessInputActionEnum;
  seat?: number;
}

/** A league in a list. */
export interface League {
  id: string;
  name: string;
  visibility: Listing;
  events: number;
}

/** A league with its rules and its events. */
export interface LeagueDetail {
  id: string;
  name: string;
  visibility: Listing;
  /** The club whose owners and organizers manage it, too. */
  club: Named | null;
  rules: LeagueRules;
  events: LeagueEvent[];
}

/** An event of a league. */
export interface LeagueEvent {
  id: string;
  name: string;
  status: EventStatus;
}

/** An event that you organize, by id. */
export interface LeagueEventInputRequest {
  event: string;
}

/** A player of a league, with all results, best first. */
export interface LeagueLine {
  rank: number;
  /** How many share the rank. */
  sharing: number;
  /** The person's id. */
  player: string;
  name: string;
  /** Exact, as a fraction. */
  total: string;
  results: LeagueResult[];
}

export interface LeaguePage {
  count: number;
  next: string | null;
  previous: string | null;
  results: League[];
}

/** The rating of a player by Glicko-2. The range is two deviations wide on each side. */
export interface LeagueRating {
  rank: number;
  /** The person's id. */
  player: string;
  name: string;
  rating: number;
  deviation: number;
  volatility: number;
  low: number;
  high: number;
  provisional: boolean;
  matches: number;
  /** At the last event that the player played in. */
  change: number;
}

export interface LeagueRatingPage {
  count: number;
  next: string | null;
  previous: string | null;
  results: LeagueRating[];
}

/** What one event gave a player. Numbers are exact, as fractions. */
export interface LeagueResult {
  event: string;
  entrant: string;
  place: number;
  /** How many share the place. */
  sharing: number;
  match_points: string;
  by_rank: string;
  by_matches: string;
  attendance: string;
  /**
   * It counts, is dropped, or another entry did better there.
   *
   * * `counts` - counts * `dropped` - dropped * `double` - double
   */
  why: LeagueResultWhyEnum;
}

export type LeagueResultWhyEnum = "counts" | "dropped" | "double";

/** How results of events become league points. */
export interface LeagueRules {
  /** From the first place on. */
  by_rank: number[];
  /** For every later place. */
  later: number;
  per_match_point: number;
  /** For attending, at every event. */
  attendance: number;
  /** How many results count; null for all. */
  best: number | null;
  /** Whether the players are rated. */
  ratings: boolean;
}

/** The newest standings, and whether newer ones are being computed. */
export interface LeagueStandings {
  computing: boolean;
  computed_at?: string | null;
  rows: LeagueLine[];
}

/** An entry of the ledger, as it is in the chain. */
export interface LedgerEntry {
  number: number;
  at: string;
  actor: string;
  code: string;
  object: string;
  before: unknown;
  after: unknown;
  note_digest: string;
  previous: string;
  hash: string;
}

export interface LedgerEntryPage {
  count: number;
  next: string | null;
  previous: string | null;
  results: LedgerEntry[];
}

/** Why lines or columns were left out: the code, how many, and the first five. */
export interface LeftOut {
  code: string;
  count: number;
  first: CardFault[];
}

/** A legal move, with its chance left open. */
export interface LegalMove {
  by: string;
  do: string;
  args: unknown;
}

/** A line that cannot be read. */
export interface LineFault {
  line: number;
  code: string;
  text: string;
  /** In the language of Accept-Language. */
  message: string;
  suggestions: string[];
}

/** The persons at the boards from 1 on. The other members are substitutes. */
export interface LineupInputRequest {
  boards: string[];
}

/** The join link of an event. People who use it can sign up even if many sign-ups come from the same network. */
export interface Link {
  address: string;
}

/** A finding of the linter: its code, the card's reference, where it is, and what was probably meant. */
export interface Lint {
  code: string;
  card: string;
  where: string;
  suggestions: string[];
}

/** A list as text with a card on each line, and the lines that cannot be read. */
export interface ListDraft {
  text: string;
  faults: LineFault[];
  notes: ListNote[];
}

/** What a player should know of a list that is read: cards left out, copies that nothing limits. */
export interface ListNote {
  /** `left_out` or `no_copy_limit`. */
  code: string;
  /** In the language of Accept-Language. */
  message: string;
}

/** A decklist that is not submitted: the line of the file, the entrant once there is one, and the code of why. */
export interface ListProblem {
  line: number;
  entrant?: string | null;
  code: string;
}

/** A list to read without saving it, and a suggestion to apply to it. */
export interface ListToReadInputRequest {
  text: string;
  /** A line and one of its suggestions: `12:REF Name`. */
  suggestion?: string;
}

export type Listing = "public" | "unlisted" | "private";

export type ListsEnum = "required" | "optional" | "none";

/** A move log, without its document. */
export interface Log {
  id: string;
  match: string;
  game: number;
  sha256: string;
  /** An account. */
  uploaded_by: string;
  uploaded_at: string;
  /** Since when the players of the match can replay it; null if they cannot. */
  shared_at: string | null;
  /** Whether one player recorded it for both, with the other one's agreement. */
  one_device: boolean;
  audit: Audit;
}

/** A move log with the report of its audit. */
export interface LogDetail {
  id: string;
  match: string;
  game: number;
  sha256: string;
  /** An account. */
  uploaded_by: string;
  uploaded_at: string;
  /** Since when the players of the match can replay it; null if they cannot. */
  shared_at: string | null;
  /** Whether one player recorded it for both, with the other one's agreement. */
  one_device: boolean;
  audit: AuditDetail;
}

/** The first cards of a list and the linter's findings: at most 200 problems and 200 hints, and their totals. */
export interface Look {
  sample: Card[];
  problems: Lint[];
  problem_count: number;
  hints: Lint[];
  hint_count: number;
  /** Cards that the engine plays by itself. */
  executed: number;
  /** Cards that are left to rulings. */
  manual: number;
}

/** What a penalty costs. Without a match it applies to the next round in which the entrant has an opponent. */
export interface Loss {
  what: WhatEnum;
  match?: string | null;
  game: number | null;
  /** Lost only if the match comes to that game. */
  later: boolean;
}

/** Something in the file that is not read. */
export interface Lost {
  code: CodeEnum;
  count: number;
  /** Names of columns or keys, where it has any. */
  detail: string[];
}

/**
 * A match of a round: a table or a bye.
 *
 * `report` is the pending report, and `differing_report` what another player reported differently. Both are shown only
 * to the players of the match and to staff.
 */
export interface Match {
  id: string;
  event: string;
  round: number;
  /** Null for a bye. */
  table: number | null;
  kind: ResultKind;
  /** Whether a result counts in the standings. */
  has_result: boolean;
  games_drawn: number | null;
  authority: AuthorityEnum | BlankEnum;
  disputed: boolean;
  /** Why this pairing: flags by entrant. */
  flags: unknown;
  /** Its place in a bracket, such as `W2.1`. */
  node: string;
  /** Number of the seat that starts, if that was chosen. */
  starts: number | null;
  /** The extra time of this table beyond the round's, in minutes. */
  extension_minutes: number;
  seats: Seat[];
  report: Report | null;
  differing_report: Report | null;
  boards: TeamBoard[];
}

/** One match, with its games. */
export interface MatchDetail {
  id: string;
  event: string;
  round: number;
  /** Null for a bye. */
  table: number | null;
  kind: ResultKind;
  /** Whether a result counts in the standings. */
  has_result: boolean;
  games_drawn: number | null;
  authority: AuthorityEnum | BlankEnum;
  disputed: boolean;
  /** Why this pairing: flags by entrant. */
  flags: unknown;
  /** Its place in a bracket, such as `W2.1`. */
  node: string;
  /** Number of the seat that starts, if that was chosen. */
  starts: number | null;
  /** The extra time of this table beyond the round's, in minutes. */
  extension_minutes: number;
  seats: Seat[];
  report: Report | null;
  differing_report: Report | null;
  boards: TeamBoard[];
  /** The seat that chooses who starts: that of the higher seed, if the stage lets it choose. */
  chooses: number | null;
  axes: Axes;
  /** The id of the newest report, or 0. Send it as `seen` with a result that overrides it. */
  newest_report: number;
  /** The number of a later, open round that was paired before this result was corrected, and may need a repair. */
  paired_before: number | null;
  games: Game[];
}

/** The disputes of a match, newest first, and the digest of the state that a ruling made now would be based on. */
export interface MatchDisputes {
  state: string;
  disputes: Dispute[];
}

export type MatterEnum = "rules" | "mistake" | "slow" | "private";

/** The account, and its entrants in events that are not over. */
export interface Me {
  account: Account;
  entrants: OwnEntrant[];
}

/** The entrants whose seats are empty. */
export interface MeetingInputRequest {
  empty?: string[];
}

/** A decklist, as it was pasted; in a team, that of a member: your own if you leave `member` out. */
export interface MemberDecklistInputRequest {
  text: string;
  /** The person, as the team names its members. */
  member?: string;
}

/** The repair to apply, by its key; or `keep`, to leave the pairings as they are after a change. */
export interface MendInputRequest {
  /** A `key`, or `keep`. */
  way: string;
}

/** The entrant that stays. */
export interface MergeEntrantsInputRequest {
  into: string;
}

/** The other player, by id. */
export interface MergeInputRequest {
  other: string;
}

/**
 * Two logs merged into one `document`, or null and their first difference.
 *
 * `kind` says what differs: a "move", figures "noted" beside a move (all moves agree), or only the "header". `path` and
 * the number of the entry say where: `n` in the first log, `n_two` in the second, null where that log ends earlier.
 * `one` and `two` are what each has there; `said_one` and `said_two` are the two moves in words.
 */
export interface Merged {
  document: unknown;
  kind: MergedKindEnum | BlankEnum;
  path: string;
  n: number | null;
  n_two: number | null;
  one: unknown;
  two: unknown;
  /** The move of the first log, in the language of the request. */
  said_one: string;
  /** The move of the second log, in the language of the request. */
  said_two: string;
}

export type MergedKindEnum = "move" | "noted" | "header";

/** A match of an event, seen from the player. */
export interface Met {
  id: string;
  round: number;
  /** `won`, `lost` or `drawn`. */
  outcome: string;
  opponents: Opponent[];
}

/** Extra minutes for one table. */
export interface MinutesInputRequest {
  minutes: number;
}

/** A fact to ask the players about. */
export interface Missing {
  fact: string;
  rule: string;
  section: string;
}

/** An entrant whose rank or points changed; null where there was no row. `up` is the number of ranks gained. */
export interface Move {
  entrant: Named;
  rank_before: number | null;
  rank_after: number | null;
  points_before: number | null;
  points_after: number | null;
  up: number;
  /**
   * The line of the cut.
   *
   * * `in` - in * `out` - out
   */
  crossed: CrossedEnum | BlankEnum;
}

/** Whether the question is asked one place earlier or later. */
export interface MoveInputRequest {
  earlier: boolean;
}

/** An entrant or a person, by public id and public name. */
export interface Named {
  id: string;
  name: string;
}

/** A player among others of the same name. */
export interface Namesake {
  id: string;
  name: string;
  /** Whether the person has an account. */
  account: boolean;
  clubs: string[];
  events: Named[];
}

/** A name that several players of a league have. */
export interface Namesakes {
  name: string;
  players: Namesake[];
  /** Two of them entered the same event, or have accounts of their own: not all are one player. */
  apart: boolean;
}

/** The players who are the same, by id. */
export interface NamesakesInputRequest {
  players: string[];
}

export interface NamesakesPage {
  count: number;
  next: string | null;
  previous: string | null;
  results: Namesakes[];
}

/** The pairing settings of an entrant. */
export interface Needs {
  club: string;
  table: number | null;
}

/** The pairing settings of an entrant. Whatever is left out is cleared. */
export interface NeedsInputRequest {
  club?: string;
  table?: number | null;
}

/** The nearest entrant with another rank, and the figure that separates the two. */
export interface Neighbour {
  entrant: Named;
  rank: number;
  by: string;
}

/** A new club. */
export interface NewClubInputRequest {
  name: string;
  place?: string;
  about?: string;
  contact?: string;
  link?: string;
  penalty_months?: number;
}

/** A new convention, which only the club's staff see unless `is_public` is set. */
export interface NewConventionInputRequest {
  name: string;
  about?: string;
  place?: string;
  /** Such as `1-120`. */
  hall?: string;
  first_day: string;
  last_day: string;
  is_public?: boolean;
}

/** A new league. Without a visibility, only its owner can see it. */
export interface NewLeagueInputRequest {
  name: string;
  visibility?: Listing;
  /** A club that you manage, by id; null for none. */
  club?: string | null;
  by_rank?: number[];
  later?: number;
  per_match_point?: number;
  attendance?: number;
  best?: number | null;
  ratings?: boolean;
}

/** A token that was just created, with its secret. */
export interface NewToken {
  id: number;
  name: string;
  /** How its secret starts. */
  prefix: string;
  scopes: TokenScope[];
  created_at: string;
  expires_at: string | null;
  last_used_on: string | null;
  revoked_at: string | null;
  /** Shown only once; null when the response is replayed. */
  secret: string | null;
}

/** A webhook with its new secret, which is only in this response. */
export interface NewWebhook {
  id: string;
  event?: string | null;
  /** An account. */
  owner: string;
  url: string;
  format: WebhookFormat;
  kinds: KindsEnum[];
  created_at: string;
  /** The first failure since the last success. */
  failing_since: string | null;
  disabled_at: string | null;
  disabled_for: DisabledForEnum | BlankEnum;
  old_secret_until: string | null;
  /** `whsec_…`; null for Discord and Slack, and in a replay. */
  secret: string | null;
}

/** A node of a bracket. `a`, `b` and `winner` are ids of entrants: null if not known yet, empty if nobody comes. */
export interface Node {
  node: string;
  round: number;
  a: string | null;
  b: string | null;
  state: NodeStateEnum;
  winner: string | null;
  match: string | null;
}

export type NodeStateEnum = "waiting" | "ready" | "seated" | "played" | "walkover" | "empty";

/** A prize that was handed out and is no longer due: `units` by rank or points, or the prize of a `category`. */
export interface NotDue {
  entrant: string;
  category: number | null;
  units: number | null;
}

/** Which notifications are sent. No e-mails are sent until the address is confirmed. */
export interface Notices {
  /** The kinds sent by e-mail. */
  kinds: string[];
  /** The kinds sent to your devices. */
  push: string[];
  /** Whether the e-mail address is confirmed. */
  confirmed: boolean;
  /** The public key (VAPID) that a device subscribes with, in base64url. */
  push_key: string;
}

/** The kinds of notifications to receive by e-mail (`kinds`) and on your devices (`push`). */
export interface NoticesInputRequest {
  kinds?: string[];
  push?: string[];
}

export type NullEnum = null;

/** How many tables to pick at random, or the table to check; with `board`, only that board of a team match. */
export interface OpenChecksInputRequest {
  tables?: number;
  table?: number;
  board?: number;
}

/** An opponent: the name that the event shows, and how addresses name the public profile, if there is one. */
export interface Opponent {
  name: string;
  player: string | null;
}

export type OutcomeEnum = "changed" | "failed";

/** Another event at the same time, by the estimated hours of both, and the tables that both use. */
export interface Overlap {
  event: string;
  name: string;
  starts_at: string;
  ends_at: string;
  same_organizer: boolean;
  same_place: boolean;
  tables: number[];
}

/** Events that overlap with this one: for its staff, and for people who have entered it. */
export interface Overlaps {
  /** Empty for people who are not its staff. */
  events: Overlap[];
  entered: Clash[];
}

/** A version of a catalogue. */
export interface OwnCatalogue {
  id: number;
  game: string;
  catalog: string;
  version: number;
  sha256: string;
  cards: number;
  /** The club that it was given to. */
  club?: string | null;
  kept_at: string;
}

/** An entrant of the account, with its event and its current match. */
export interface OwnEntrant {
  id: string;
  name: string;
  /** The full name; null unless you are staff of the event. */
  full_name: string | null;
  status: EntrantStatus;
  registered_at: string;
  checked_in_at: string | null;
  /** Rounds paired before the drop. */
  dropped_after: number | null;
  event: BriefEvent;
  match: Match | null;
}

/** The public profile of a person you act for; empty while it is switched off. */
export interface OwnProfile {
  shown: boolean;
  short_name: string | null;
  text: string;
  /** Whether search engines may list it. */
  searchable: boolean;
}

/** What a public profile says. */
export interface OwnProfileInputRequest {
  short_name?: string;
  text?: string;
  /** Search engines may list it. */
  searchable?: boolean;
}

/** The club that something is given to; null gives it back. */
export interface OwningClubInputRequest {
  club: string | null;
}

/** A score pad, turn by turn. */
export interface PadInputRequest {
  /** `{"by": seat, "claims": {"A.pv": 12}, "seconds": 40}`, `seconds` where somebody took them. */
  turns: { [name: string]: unknown }[];
}

/** Whether to pair a round in which nobody meets. */
export interface PairInputRequest {
  /** Pair the round even if nobody meets in it. */
  acknowledged?: boolean;
}

export type PairingOrderEnum = "random" | "fold" | "slide" | "standing";

/** A PDF, kept for a day from `asked_at`. Poll until it is `ready`, or until `error` says why it failed. */
export interface Paper {
  id: string;
  event: string;
  round?: number | null;
  kind: PaperKind;
  asked_at: string;
  ready: boolean;
  /** 0 to 100 */
  progress: number;
  error: string;
}

/** The PDF to make. */
export interface PaperInputRequest {
  kind: PaperKind;
  /** For `round`, `slips`, `by_name` and `by_table`. */
  round?: number;
}

export type PaperKind = "round" | "slips" | "by_name" | "by_table" | "standings" | "final" | "seats" | "decks" | "seat_links";

/** A term of a figure. `got` of `of` are the counts behind a share; `note` says what was done to the value. */
export interface Part {
  /** 0 where a round says nothing. */
  round: number;
  opponent: Named | null;
  /** A decimal of 12 digits. */
  value: string;
  exact: string;
  got: number | null;
  of: number | null;
  note: string;
}

export type PassingEnum = "L" | "R";

/** What to change in a club. Whatever is left out stays. */
export interface PatchedClubInputRequest {
  name?: string;
  place?: string;
  about?: string;
  contact?: string;
  link?: string;
  penalty_months?: number;
}

/** What to change in a convention. Whatever is left out stays. */
export interface PatchedConventionInputRequest {
  name?: string;
  about?: string;
  place?: string;
  /** Such as `1-120`. */
  hall?: string;
  first_day?: string;
  last_day?: string;
  is_public?: boolean;
}

/** What to change in a league. Whatever is left out stays. */
export interface PatchedLeagueInputRequest {
  name?: string;
  visibility?: Listing;
  /** A club that you manage, by id; null for none. */
  club?: string | null;
  by_rank?: number[];
  later?: number;
  per_match_point?: number;
  attendance?: number;
  best?: number | null;
  ratings?: boolean;
}

/** Settings of the account. */
export interface PatchedMeInputRequest {
  language?: LanguageEnum;
}

/** How to read the file. Whatever you leave out is guessed, or stays as it was. */
export interface PatchedReadingInputRequest {
  encoding?: EncodingEnum;
  delimiter?: DelimiterEnum;
  /** Whether the first line names the columns. */
  header?: boolean;
  /** What each column is; empty for one that is ignored. */
  columns?: (ColumnsEnum | BlankEnum)[];
  /** Also enter people whose name is already in the event. */
  twice?: boolean;
  /** Where a name is an e-mail address, call the player “Player 1” and so on. */
  numbered?: boolean;
  /** Decisions about single lines, added to earlier ones. */
  rows?: RowInputRequest[];
}

/** What to change in a stage. */
export interface PatchedStageChangeInputRequest {
  kind?: StageKind;
  rounds_planned?: number | null;
  best_of?: BestOfEnum;
  round_minutes?: number;
  cut_top?: number | null;
  cut_points?: number | null;
  /** After a cut: whether the higher seed chooses who starts. */
  seed_chooses?: boolean;
  third_place?: boolean;
  reset?: boolean;
  twice?: boolean;
  pod_size?: number;
  table_size?: number;
}

/** Options of a Swiss stage to change, for rounds that have not been paired yet. */
export interface PatchedStagePairingInputRequest {
  pairing_order?: PairingOrderEnum;
  last_by_standing?: boolean;
  clubs_apart?: boolean;
  even_sides?: boolean;
  /**
   * The best bye that a player may ask for.
   *
   * * `none` - None * `zero_bye` - Zero Bye * `half_bye` - Half Bye * `bye` - Bye
   */
  byes_on_request?: ByesOnRequestEnum;
}

/** What to change in a webhook. Whatever is left out stays. */
export interface PatchedWebhookChangeRequest {
  url?: string;
  kinds?: KindsEnum[];
  /** Switch off, or on again. */
  active?: boolean;
}

/** What is paid: the id of a price, which may be left out if there is only one, and a code. */
export interface PayInputRequest {
  price?: string;
  code?: string;
}

/** A payment. `address` is the provider's page while it can be paid there, empty until it is open. */
export interface Payment {
  id: string;
  entrant: string;
  price?: string | null;
  code?: string | null;
  /** `desk`, `code`, or the name of a provider. */
  way: string;
  cents: number;
  currency: string;
  status: PaymentStatusEnum;
  /** Why it did not settle the entry; empty if it did. */
  problem: string;
  /** The provider's page, while the payment is open. */
  address: string;
  started_at: string;
  expires_at: string | null;
  paid_at: string | null;
  refunds: Refund[];
}

export interface PaymentPage {
  count: number;
  next: string | null;
  previous: string | null;
  results: Payment[];
}

export type PaymentStatusEnum = "waiting" | "confirmed" | "rejected" | "refunded" | "error" | "cancelled";

/** A penalty. `loss` is null if it is only recorded and costs nothing. */
export interface Penalty {
  id: string;
  entrant: string;
  match?: string | null;
  infraction: string;
  level: PenaltyLevel;
  /**
   * What the ladder proposed.
   *
   * * `warning` - Warning * `game_loss` - Game Loss * `match_loss` - Match Loss * `disqualification` - Disqualification
   */
  proposed: PenaltyLevel;
  when: WhenEnum;
  served: ServedEnum;
  loss: Loss | null;
  at: string;
}

/** A penalty: what the player did and what it costs, in the match being played. */
export interface PenaltyInputRequest {
  infraction: InfractionEnum;
  /**
   * If left out, the level that the ladder proposes.
   *
   * * `warning` - Warning * `game_loss` - Game Loss * `match_loss` - Match Loss * `disqualification` - Disqualification
   */
  level?: PenaltyLevel | BlankEnum;
  when?: WhenEnum;
  /** The game being played. */
  game?: number | null;
  note?: string;
  /** You have read what changes and what stands: the details of `affects_later`. */
  acknowledged?: boolean;
  /** You mean another incident than that of the earlier penalty: the details of `penalty_twice`. */
  again?: boolean;
}

export type PenaltyLevel = "warning" | "game_loss" | "match_loss" | "disqualification";

export interface PenaltyPage {
  count: number;
  next: string | null;
  previous: string | null;
  results: Penalty[];
}

/** A person that the account acts for. */
export interface Person {
  id: string;
  /** What others see. */
  name: string;
  given_name: string;
  family_name: string;
  public_name: string;
  family_first: boolean;
  shown_in_full: boolean;
}

/**
 * The names of a person.
 *
 * Without a public name, others see the shortest form of the name that nobody else at the event has.
 */
export interface PersonInputRequest {
  given_name: string;
  family_name?: string;
  public_name?: string;
  /** The family name comes first. */
  family_first?: boolean;
  /** Everybody may see the whole name. */
  shown_in_full?: boolean;
}

export type PhaseEnum = "pick" | "between" | "build";

/** A photo of the table. `kept` is false once the picture has been deleted; its digest stays. */
export interface Photo {
  id: string;
  sha256: string;
  width: number;
  height: number;
  at: string;
  /** Whether the picture still exists. */
  kept: boolean;
}

/** The result of one seat at a multiplayer table. */
export interface Place {
  rank: number;
  score?: number | null;
}

/** The result of one seat at a multiplayer table. */
export interface PlaceRequest {
  rank: number;
  score?: number | null;
}

/** An entrant of the account in any event, with its results. */
export interface Played {
  /** The entrant. */
  id: string;
  name: string;
  event: BriefEvent;
  registered_at: string;
  /** Of which the result counts, byes included. */
  matches: number;
  won: number;
  /** Match points. */
  points: number;
}

/** An event that a player plays or has played. What the event does not show to everybody is null. */
export interface PlayedEvent {
  event: BriefEvent;
  starts_at: string | null;
  entrant: string;
  rank: number | null;
  players: number | null;
  record: Record | null;
  decklist: number | null;
  matches: Met[];
}

export interface PlayedEventPage {
  count: number;
  next: string | null;
  previous: string | null;
  results: PlayedEvent[];
}

export interface PlayedPage {
  count: number;
  next: string | null;
  previous: string | null;
  results: Played[];
}

/** A player with a public profile. */
export interface Player {
  id: string;
  name: string;
  short_name: string | null;
}

export type PlayerResultKind = "played" | "intentional_draw" | "concession";

/** The current version of a pool. */
export interface Pool {
  entrant: string;
  stage: number;
  version: number;
  digest: string;
  /** Cards, copies included. */
  count: number;
  /** Copies by card reference. */
  cards: unknown;
  text: string;
  registered_at: string;
}

/** An entrant's pool in the overview for staff, without its cards. */
export interface PoolLine {
  entrant: string;
  version: number;
  digest: string;
  count: number;
  registered_at: string;
}

/** Who can read the pools, and which pools are registered. */
export interface Pools {
  shown: PoolsShown;
  pools: PoolLine[];
}

/** Who can read the pools. */
export interface PoolsInputRequest {
  shown: PoolsShown;
}

export type PoolsShown = "staff" | "locked" | "over";

/** A board of a match, and the move that is asked about. */
export interface PositionInputRequest {
  /** The `start` of a declared position, `kind` position. */
  start: { [name: string]: unknown };
  /** An entry of a log. */
  move?: { [name: string]: unknown };
  /** A saved board of this match whose photos are used for this one too. */
  photos_of?: string;
}

/** A preset that events can be created from. */
export interface Preset {
  id: string;
  name: string;
  game: string;
  ruleset: string;
  catalog: string;
  deck_format: string;
  /** Null: proposed from the number of entrants. */
  rounds: number | null;
  best_of: number;
  round_minutes: number;
  scheme: string;
  /**
   * The structure of its first stage.
   *
   * * `swiss` - Swiss * `pods` - Pods * `tables` - Tables * `round_robin` - Round Robin * `single_elimination` - Single
   * Elimination * `double_elimination` - Double Elimination
   */
  kind: StageKind;
  procedures: { [name: string]: unknown };
}

/** A price of an event. */
export interface Price {
  id: string;
  name: string;
  cents: number;
  /** The currency of the event's entry fee. */
  currency: string;
  opens_at: string | null;
  closes_at: string | null;
  count: number | null;
  /** Open and paid payments. */
  sold?: number;
}

/** A new price. */
export interface PriceInputRequest {
  name: string;
  cents: number;
  opens_at?: string | null;
  closes_at?: string | null;
  count?: number | null;
}

/** The prize of one entrant. */
export interface Prize {
  entrant: string;
  rank: number;
  points: number;
  units: number;
  /** The units that were marked as handed out, or null. */
  handed_out: number | null;
}

/** The prizes, best first. `remainder` is negative if there is not enough. */
export interface PrizeDesk {
  given: number;
  remainder: number;
  prizes: Prize[];
  /** As you may see them. */
  categories: CategoryPrize[];
  /** Handed out before the standings changed. */
  not_due: NotDue[];
}

/** Whether the prize was handed out. */
export interface PrizeInputRequest {
  given: boolean;
}

/** A refusal (RFC 9457). Clients act on `code`; docs/refusals.md lists all codes. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  code: string;
  /** A sentence for people, in the language asked for. */
  detail: string;
  /** One entry a defect. */
  details: unknown[];
  /** With a 500: the id to quote when you report it. */
  request?: string;
}

/** A public profile, with the record of everything that events show to everybody. */
export interface Profile {
  id: string;
  name: string;
  short_name: string | null;
  text: string;
  record: Record;
  by_game: Season[];
  by_year: Season[];
}

/** The match that an entrant plays now, the earlier ones, and the place in the standings. */
export interface Progress {
  entrant: Named;
  status: EntrantStatus;
  /** The newest round; null before the first. */
  round?: number | null;
  /** Of that round. */
  clock: Clock | null;
  /** In that round, while it is played. */
  match: Match | null;
  /** Oldest first. */
  earlier: Match[];
  /** Null before there is one, or if it is hidden. */
  place: StandingPlace | null;
  /** Whether the event hides the pairings from you now. */
  pairings_hidden: boolean;
  standings_hidden: boolean;
}

/** The number of rounds proposed for this number of players. */
export interface Proposal {
  players: number;
  rounds: number;
  /**
   * The format's own number, the table of MTR appendix E, or the fewest that find a winner.
   *
   * * `format` - format * `table` - table * `winner` - winner
   */
  why: ProposalWhyEnum;
}

export type ProposalWhyEnum = "format" | "table" | "winner";

/** A penalty that is given together with a ruling. */
export interface PunishedInputRequest {
  seat: number;
  infraction: InfractionEnum;
  /**
   * If left out, the level that the ladder proposes.
   *
   * * `warning` - Warning * `game_loss` - Game Loss * `match_loss` - Match Loss * `disqualification` - Disqualification
   */
  level?: PenaltyLevel | BlankEnum;
  when?: WhenEnum;
}

/** Who was entered into the other event now; the last `waiting` of them are on its waiting list. */
export interface Qualified {
  entered: Named[];
  waiting: number;
}

/** The other event, how many enter it, and who declines. */
export interface QualifyInputRequest {
  into: string;
  first: number;
  skip_dropped?: boolean;
  /** Entrants of this event whose places go to the next. */
  declined?: string[];
  /** Invite those without an account whose e-mail address is known. */
  invite?: boolean;
}

/** A position and a move, in the log format. */
export interface QuestionInputRequest {
  /** A declared position, or a whole log. */
  position: { [name: string]: unknown };
  /** An entry of a log. */
  move: { [name: string]: unknown };
}

export type QuestionKind = "text" | "choice" | "consent";

/** How a file is read. */
export interface Read {
  encoding: string;
  delimiter: string;
  header: boolean;
  columns: string[];
  numbered?: boolean;
  /** No column is known to have names: choose `columns`. */
  unsure?: boolean;
  twice: boolean;
}

/** The reason. */
export interface ReasonInputRequest {
  reason: string;
}

/** Matches won, lost and drawn, without byes. */
export interface Record {
  won: number;
  lost: number;
  drawn: number;
}

/** A recorded entry. */
export interface RecordedEntry {
  n: number;
  /** Hash of the chain up to it. */
  h: string;
}

/** A move. */
export interface RecordedEntryInputRequest {
  n: number;
  key: string;
  /** An entry of a log, without `n` and `h`. */
  entry: { [name: string]: unknown };
}

/** A recording as you may see it: the board, the moves that are legal now, and how many entries there are. */
export interface Recording {
  id: string;
  match: string;
  game: number;
  /** How many entries there are; the next one has this number plus one. */
  n: number;
  /** Hash of the chain. */
  digest: string;
  /** The seats whose player agreed that the other one records for both, on one device. */
  shared: string[];
  /** The seats for which you may enter moves. */
  actors: string[];
  legal: LegalMove[];
  /** Whether more moves are legal than are listed. */
  more_legal: boolean;
  /** Moves that may respond to the last entry; sent with `resp: true`. */
  responses: LegalMove[];
  /** Whether more responses are legal than are listed. */
  more_responses: boolean;
  board: unknown;
  over: boolean;
  undo_asked: boolean;
  log?: string | null;
}

/** A refund of a payment. */
export interface Refund {
  id: string;
  cents: number;
  status: RefundStatusEnum;
  asked_at: string;
  ended_at: string | null;
}

/** How much is given back (all that is left if `cents` is left out), and a key: the same key refunds once. */
export interface RefundInputRequest {
  key: string;
  cents?: number | null;
}

export type RefundStatusEnum = "pending" | "done" | "failed";

/** An application on which could not be decided, and why. */
export interface RefusedApplication {
  application: string;
  code: string;
  message: string;
}

/** An entrant for whom the action was refused, and why. */
export interface RefusedEntrant {
  entrant: string;
  code: string;
  message: string;
}

/** A line that enters nobody, with the codes of the reasons. */
export interface RefusedLine {
  line: number;
  faults: string[];
}

export type RegistrationEnum = "open" | "later" | "closed";

/** The settings of registration. Whatever is left out stays. */
export interface RegistrationInputRequest {
  listing?: Listing;
  approval?: boolean;
  consent_under?: number | null;
}

/** Why a decklist is reopened, and the penalty for it. */
export interface ReopenInputRequest {
  reason: string;
  infraction?: InfractionEnum;
  /**
   * If left out, the level that the ladder proposes.
   *
   * * `warning` - Warning * `game_loss` - Game Loss * `match_loss` - Match Loss * `disqualification` - Disqualification
   */
  level?: PenaltyLevel | BlankEnum;
  when?: WhenEnum;
  /** In a team: the person whose list it is. */
  member?: string;
}

/** A log whose boards the players of its match can see. */
export interface Replay {
  id: string;
  game: number;
  shared_at: string;
}

/** A result as it was reported. `seat` is null if staff entered it. */
export interface Report {
  id: number;
  seat?: number | null;
  kind: ResultKind;
  games: number[];
  places: Place[];
  boards: number[][];
  status: ReportStatus;
  at: string;
}

/** The result reported by a player. */
export interface ReportInputRequest {
  /** For a match of two: games won by seat 1, by seat 2, and drawn. */
  games?: number[];
  /** For a multiplayer table: rank and victory points of each seat, in order. */
  places?: PlaceRequest[];
  /** For a team match: games won by seat 1, by seat 2, and drawn, for each board in order. */
  boards?: number[][];
  kind?: PlayerResultKind;
}

export type ReportStatus = "standing" | "counter" | "confirmed" | "contested" | "replaced";

export type ResultKind = "played" | "bye" | "half_bye" | "zero_bye" | "missed" | "no_show" | "forfeit" | "concession" | "intentional_draw" | "penalty_loss" | "double_loss" | "time" | "disqualified";

/** Where to begin: the version of the site, its licence, and the addresses to follow. */
export interface Root {
  version: string;
  /** An SPDX identifier. */
  licence: string;
  schema: string;
  docs: string;
  events: string;
  presets: string;
}

/**
 * A round. Its seed, algorithm and options say how it was paired, so that it can be paired again.
 *
 * `seed`, `cost` and `certified` of a draft are null for staff who play the event.
 */
export interface Round {
  number: number;
  stage: number;
  /** Which round of its stage, from 1. */
  of_stage: number;
  status: RoundStatus;
  /** Without byes. */
  tables: number;
  seed: number | null;
  algorithm: string;
  asked: { [name: string]: unknown };
  cost: unknown;
  certified: boolean | null;
  created_at: string;
  published_at: string | null;
  closed_at: string | null;
}

/** A round with its matches, tables first and byes last. */
export interface RoundDetail {
  number: number;
  stage: number;
  /** Which round of its stage, from 1. */
  of_stage: number;
  status: RoundStatus;
  /** Without byes. */
  tables: number;
  seed: number | null;
  algorithm: string;
  asked: { [name: string]: unknown };
  cost: unknown;
  certified: boolean | null;
  created_at: string;
  published_at: string | null;
  closed_at: string | null;
  /** The number of matches that you may see, however many are returned. */
  count: number;
  matches: Match[];
}

export type RoundStatus = "draft" | "published" | "closed";

/** What to do with a single line. */
export interface RowInputRequest {
  line: number;
  /**
   * How many words of the name are the first name. Negative: so many are the last name, which comes first. 0: a name in
   * one part.
   */
  split?: number;
  /**
   * True: enter the line although its name is taken (`name_twice`) or looks like none (`no_name`). False: leave it out.
   */
  enter?: boolean;
  /** The player of `known` who it is; empty: a new player. */
  person?: string;
}

export type RuleEnum = "answer" | "club" | "faction" | "picked";

/** The rules that games of an event are recorded and audited by, and those that could be chosen, the newest last. */
export interface Ruleset {
  ruleset: string;
  rulesets: string[];
}

/** The rules to choose. */
export interface RulesetInputRequest {
  ruleset: string;
}

export type RulingInputDecisionEnum = "keep" | "change" | "replay";

/** A judge's ruling, with its reason. `games`, `places` or `boards` are for the decision `change` only. */
export interface RulingInputRequest {
  /** For a match of two: games won by seat 1, by seat 2, and drawn. */
  games?: number[];
  /** For a multiplayer table: rank and victory points of each seat, in order. */
  places?: PlaceRequest[];
  /** For a team match: games won by seat 1, by seat 2, and drawn, for each board in order. */
  boards?: number[][];
  /** `newest_report` of the match as you read it: refused if another report has come in since. */
  seen?: number;
  kind?: StaffResultKind;
  reason: string;
  /** You have read what changes and what stands: the details of `affects_later`. */
  acknowledged?: boolean;
  decision?: RulingInputDecisionEnum;
  /** To be played again; without it, the whole match. */
  game?: number;
  /** `state` of the disputes of the match as you read them: refused if it has changed since. */
  state?: string;
  penalty?: PunishedInputRequest;
}

/** A format that you saved, or that a club of yours owns. Its id is accepted wherever a preset's is. */
export interface SavedFormat {
  id: string;
  name: string;
  /** The club that it was given to. */
  club?: string | null;
  created_at: string;
}

/** The event whose settings to save, and the name of the format. */
export interface SavedFormatInputRequest {
  event: string;
  name: string;
}

/** The scheme of the current stage, and its tiebreaks in order. */
export interface Scheme {
  scheme: string;
  tiebreaks: string[];
  /** The available names. */
  schemes: string[];
  /** The tiebreaks that can be chosen. */
  available: Tiebreak[];
}

/** The name of a scheme; or `tiebreaks`, in the order in which they decide, which follow the rules of the scheme. */
export interface SchemeInputRequest {
  scheme?: string;
  tiebreaks?: string[];
}

/** The scoring of the current stage, from its scheme and what the event has chosen. */
export interface Scoring {
  /**
   * `own` if no preset has the same values.
   *
   * * `scheme` - scheme * `melee` - melee * `topdeck` - topdeck * `pokemon` - pokemon * `yugioh` - yugioh * `fide` -
   * fide * `own` - own
   */
  preset: ScoringPresetEnum;
  /** The event's own values; the rest comes from the scheme. */
  chosen: { [name: string]: unknown };
  win: number;
  draw: number;
  loss: number;
  /** An exact fraction. */
  floor: string;
  presets: ScoringPreset[];
}

export type ScoringInputPresetEnum = "scheme" | "melee" | "topdeck" | "pokemon" | "yugioh" | "fide";

/**
 * What a win, a draw and a loss are worth, in whole or half points, and the floor of percentages; or a preset.
 *
 * A null takes a value from the scheme.
 */
export interface ScoringInputRequest {
  preset?: ScoringInputPresetEnum;
  win?: number | null;
  draw?: number | null;
  loss?: number | null;
  floor?: FloorEnum | NullEnum | null;
}

/** The scoring of a widely used tool. */
export interface ScoringPreset {
  id: string;
  name: string;
  scoring: { [name: string]: unknown };
}

export type ScoringPresetEnum = "scheme" | "melee" | "topdeck" | "pokemon" | "yugioh" | "fide" | "own";

/** The record of a game or of a year. */
export interface Season {
  name: string;
  events: number;
  record: Record;
}

/** A seat at a match, with its result if one counts. */
export interface Seat {
  number: number;
  entrant: Named;
  games_won: number | null;
  points: number | null;
  /** At a multiplayer table. */
  rank: number | null;
  /** Victory points, at a multiplayer table. */
  score: number | null;
}

/**
 * A signed link of an entrant.
 *
 * Anybody who has a seat link can see the seat and check it in; a claim link lets an account claim the entry, once.
 */
export interface SeatLink {
  address: string;
}

/** The secret of an invitation: the last part of its link. */
export interface SecretInputRequest {
  secret: string;
}

/** The ids of the entrants who have a seed, best first. */
export interface Seeds {
  seeds: string[];
}

/** A league of yours that rates its players, by id. */
export interface SeedsInputRequest {
  league: string;
}

/** What an ability does as a sentence, in each language. */
export interface Sentence {
  fr: string;
  en: string;
  it: string;
}

/** The number of the entry, and a key made up by the sender. Sending the same key again does nothing new. */
export interface SequenceInputRequest {
  n: number;
  key: string;
}

/** Draft events, one for each date, with the settings of an event of the club. */
export interface SeriesInputRequest {
  /** The event to copy, by id. */
  template: string;
  /** The start of the first one. */
  first: string;
  every: EveryEnum;
  count: number;
}

export type ServedEnum = "record" | "waits" | "served" | "withdrawn";

/** The entrants for whom the action was done, and those for whom it was refused. */
export interface Several {
  done: string[];
  refused: RefusedEntrant[];
}

/** Entrants of one event, by id, and the action to apply to each. */
export interface SeveralInputRequest {
  gesture: GestureEnum;
  entrants: string[];
}

/** An event of a convention with its tables. */
export interface Share {
  event: ClubEvent;
  /** Null without a start time. */
  starts_at: string | null;
  /** An estimate: its rounds with a break after each. */
  ends_at: string | null;
  /** As ranges. */
  tables: string;
  /** Whether the tables were chosen; otherwise they are counted from 1. */
  listed: boolean;
  /** How many it needs for its capacity. */
  wanted: number;
  /** The clashes. */
  clashes: { [name: string]: string }[];
}

/** Whether the players of the match can replay a log. */
export interface ShareInputRequest {
  shared: boolean;
}

/** Another event by the same staff within half a day, and the tables that both use. */
export interface SharedTables {
  event: string;
  tables: number[];
}

/** A player's answer to a board, with the account and the device it was given on. */
export interface Signature {
  seat: number;
  agrees: boolean;
  digest: string;
  device: DeviceEnum;
  /** An account. */
  by: string;
  at: string;
}

/** Whether a player agrees to a board. */
export interface SignatureInputRequest {
  agrees: boolean;
  /** Of the board that was shown. */
  digest: string;
  /** For judges: who signs. Players sign for their own. */
  seat?: number;
}

/** The current end of a ledger, signed with Ed25519. The public keys of this site are at `/verify/keys/`. */
export interface SignedHead {
  /** The id of the event. */
  chain: string;
  /** Of the last entry; 0 while there is none. */
  number: number;
  hash: string;
  signature: string;
  key: string;
}

/** The origins of the sites that may embed an event. */
export interface Sites {
  sites: string[];
}

/** The sites that may embed an event, such as `https://club.example`. */
export interface SitesInputRequest {
  /** Empty: none. */
  sites: string[];
}

/** A match slip entered by the desk. Changing a result or a pending report that differs needs a reason. */
export interface SlipInputRequest {
  /** For a match of two: games won by seat 1, by seat 2, and drawn. */
  games?: number[];
  /** For a multiplayer table: rank and victory points of each seat, in order. */
  places?: PlaceRequest[];
  /** For a team match: games won by seat 1, by seat 2, and drawn, for each board in order. */
  boards?: number[][];
  table: number;
  kind?: StaffResultKind;
  /** Seats. */
  drops?: number[];
  reason?: string;
}

/** A role that somebody holds at an event. */
export interface Staff {
  account: string;
  /** The public name of the account's own person. */
  name: string;
  role: StaffRoleName;
  /** The only table of a scribe; null: every table. */
  table: number | null;
}

/** A role for the account with this e-mail address. */
export interface StaffInputRequest {
  email: string;
  role: StaffRoleName;
  table?: number | null;
}

export type StaffResultKind = "played" | "intentional_draw" | "concession" | "no_show" | "double_loss" | "time" | "penalty_loss" | "forfeit";

export type StaffRoleName = "owner" | "organizer" | "scorekeeper" | "head_judge" | "judge" | "scribe";

/** A stage of an event. `options` are those of its structure and its cut; `started_at` is null until it starts. */
export interface Stage {
  number: number;
  kind: StageKind;
  rounds_planned: number | null;
  best_of: number;
  round_minutes: number;
  scheme: string;
  /** Empty: lists are not checked. */
  deck_format: string;
  deck_options: { [name: string]: string };
  pools_shown: PoolsShown;
  options: { [name: string]: unknown };
  /** Its first round, numbered through the event. */
  first_round: number;
  started_at: string | null;
}

/** A stage with its entrants and, for a bracket that has started, all of its matches. */
export interface StageDetail {
  number: number;
  kind: StageKind;
  rounds_planned: number | null;
  best_of: number;
  round_minutes: number;
  scheme: string;
  /** Empty: lists are not checked. */
  deck_format: string;
  deck_options: { [name: string]: string };
  pools_shown: PoolsShown;
  options: { [name: string]: unknown };
  /** Its first round, numbered through the event. */
  first_round: number;
  started_at: string | null;
  entries: StageEntry[];
  nodes: Node[];
}

/** An entrant of a stage, with its seed and its seat in a draft pod. */
export interface StageEntry {
  seed: number;
  entrant: Named;
  pod: number | null;
  /** Seat in the pod, clockwise from 1. */
  place: number | null;
}

/** A stage: its structure, and what differs from the previous stage. Only options of that structure are accepted. */
export interface StageInputRequest {
  kind: StageKind;
  rounds_planned?: number | null;
  best_of?: BestOfEnum;
  round_minutes?: number;
  cut_top?: number | null;
  cut_points?: number | null;
  /** After a cut: whether the higher seed chooses who starts. */
  seed_chooses?: boolean;
  third_place?: boolean;
  reset?: boolean;
  twice?: boolean;
  pod_size?: number;
  table_size?: number;
}

export type StageKind = "swiss" | "pods" | "tables" | "round_robin" | "single_elimination" | "double_elimination";

/** How the rounds of a Swiss stage are paired, and how many are proposed. */
export interface StagePairing {
  pairing_order: PairingOrderEnum;
  last_by_standing: boolean;
  clubs_apart: boolean;
  even_sides: boolean;
  byes_on_request: ByesOnRequestEnum;
  proposed: Proposal;
}

/** Who declines their place in the stage. */
export interface StageStartInputRequest {
  /** Entrants by id: they are passed over, and the next ranks move up. */
  declined?: string[];
}

/** The tables in the hall that a stage uses. If both fields are empty, tables are numbered from 1. */
export interface StageTables {
  tables: string;
  skipped: string;
  shared: SharedTables[];
}

/** Ranges such as `1-40, 60-80`, in the order in which they are filled, and the tables to skip. */
export interface StageTablesInputRequest {
  tables: string;
  skipped?: string;
}

/**
 * A row of the standings.
 *
 * `tiebreaks` are decimals of 12 digits in the order of the scheme; `exact` has the same values as fractions.
 */
export interface Standing {
  rank: number;
  entrant: Named;
  /** Whole numbers, unless the scheme counts half points. */
  points: number;
  /** Won, lost, drawn, without byes. */
  record: number[];
  /** Byes, each worth a match won; the record leaves them out. */
  byes: number;
  tiebreaks: { [name: string]: string };
  exact: { [name: string]: string };
}

/** The entrant's row in the standings of a stage. */
export interface StandingPlace {
  stage: number;
  /** The last round that they count. */
  round: number;
  rank: number;
  points: number;
  /** Won, lost, drawn, without byes. */
  record: number[];
  byes?: number;
}

/** The newest standings. `computing` says that results have changed since `version`. */
export interface Standings {
  stage: number;
  /** Rounds of the stage counted: those that are closed. Before the first there are no rows. */
  round: number;
  scheme: string;
  /** The event's revision whose results these are. */
  version: number;
  computing: boolean;
  /** Why the last computation failed, if it did. */
  failed: string;
  computed_at: string | null;
  /** Of all rows, however few are sent. */
  count: number;
  rows: Standing[];
}

/** The number of the seat that starts. */
export interface StartInputRequest {
  seat: number;
}

/** What is paid, and through which provider: `stripe`, `paypal`; the first of the site if it is left out. */
export interface StartPaymentInputRequest {
  price?: string;
  code?: string;
  provider?: string;
}

export type StepEnum = "open" | "lock" | "unlock" | "check_in" | "start" | "finish" | "reopen" | "cancel";

/** The next state of an event. */
export interface StepInputRequest {
  step: StepEnum;
  /** With `start` alone. */
  drop_absent?: boolean;
  /** With `start` alone: entrants who only lack a legal list stay, as late entrants do. */
  keep_listless?: boolean;
  /** With `start` alone: start a locked event although check-in was not held. */
  without_check_in?: boolean;
  /** With `reopen`, which needs it, and `cancel`. */
  reason?: string;
}

/** Whether the name is kept off big screens and out of public exports. */
export interface Stream {
  off: boolean;
}

/** Whether to keep the name off big screens and out of public exports. */
export interface StreamInputRequest {
  off: boolean;
}

/** Two entrants of a draft. */
export interface SwapInputRequest {
  first: string;
  second: string;
}

/** A table whose games you may record. */
export interface TableToRecord {
  match: string;
  table: number;
  /** The public names of the players, in the order of the seats. */
  players: string[];
  games: GameToRecord[];
}

/** A team with its members: by board, then the substitutes. */
export interface Team {
  /** The entrant. */
  id: string;
  name: string;
  status: EntrantStatus;
  registered_at: string;
  /** Whether every board has a player: only complete teams are paired. */
  complete: boolean;
  members: TeamMember[];
}

/**
 * A board of a team match: who sits there, the games that count, and what its two players reported.
 *
 * `agreed` and the reports are for a match without a result. The reports are shown only to the players of the match and
 * to staff.
 */
export interface TeamBoard {
  number: number;
  /** Of the team of seat 1. */
  first: string;
  first_person: string;
  /** Of the team of seat 2. */
  second: string;
  second_person: string;
  /** Games won by each side, and drawn; null: not played. */
  games: number[] | null;
  agreed: number[] | null;
  reports: BoardReport[];
}

/**
 * A team to register, whose captain you or a `person` you act for will be; or with `players`, one for the desk.
 *
 * `players` are the names of people without an account, in the order of their boards; the first one is the captain.
 */
export interface TeamInputRequest {
  name: string;
  players?: string[];
  person?: string;
  answers?: { [name: string]: string };
  consent?: ConsentSaid;
}

/** The link by which others join a team, and its signature for programs. */
export interface TeamLink {
  address: string;
  signature: string;
}

/** A member of a team. */
export interface TeamMember {
  person: string;
  name: string;
  /** Null: a substitute. */
  board: number | null;
  captain: boolean;
  /**
   * Whether the decklist is there, for the captain and the desk; else null.
   *
   * * `missing` - missing * `legal` - legal * `illegal` - illegal * `unchecked` - unchecked
   */
  decklist: DecklistEnum | NullEnum | null;
}

/** The `signature` of the team's link, for you or a `person` you act for; or a `name` that the desk adds. */
export interface TeamMemberInputRequest {
  signature?: string;
  name?: string;
  person?: string;
  answers?: { [name: string]: string };
  consent?: ConsentSaid;
}

/** The new name of a team. */
export interface TeamNameInputRequest {
  name: string;
}

export interface TeamPage {
  count: number;
  next: string | null;
  previous: string | null;
  results: Team[];
}

export type TeamPlayEnum = "together" | "boards";

/** How teams play an event. Whatever is left out stays. */
export interface TeamSettingsInputRequest {
  team_size?: number;
  team_play?: TeamPlayEnum;
  substitutes?: number;
}

/** A sentence that was ticked. */
export interface Ticked {
  /** An account; null: it was not stored then. */
  by?: string | null;
  at: string;
  /** As it read then; empty: on paper, or it was not stored then. */
  sentence: string;
  question: number;
}

/** A tiebreak, described in the requested language. */
export interface Tiebreak {
  name: string;
  short: string;
  long: string;
}

/** An API token, without its secret. */
export interface Token {
  id: number;
  name: string;
  /** How its secret starts. */
  prefix: string;
  scopes: TokenScope[];
  created_at: string;
  expires_at: string | null;
  last_used_on: string | null;
  revoked_at: string | null;
}

/** A new token, valid for `days`. */
export interface TokenInputRequest {
  name: string;
  scopes: TokenScope[];
  days?: number;
}

export type TokenScope = "read" | "play" | "judge" | "organize";

/** An uploaded file. `status` is `open` until something is made of it, and `done` once it is there. */
export interface Transfer {
  id: string;
  format: TransferFormatEnum;
  status: ImportStatus;
  /** What the file can be used for. */
  goals: GoalsEnum[];
  /** Of its event, as the file has it. */
  name: string;
  players: number;
  rounds: number;
  matches: number;
  /** Matches without a result. */
  waiting: number;
  lost: Lost[];
  /** 0 to 100 */
  progress: number;
  /** The code of the refusal that stopped it. */
  error: string;
  /** The event that was created from it. */
  event: string | null;
}

/** The event that the players of the file enter. */
export interface TransferEntrantsInputRequest {
  event: string;
}

/** What to make of the file. For an event file of ours, `goal` says it all. */
export interface TransferEventInputRequest {
  goal: GoalEnum;
  /** Needed for the file of another program. */
  name?: string;
  /** A preset, or a format of your own. Required, like `name`. */
  preset?: string;
  game_name?: string;
  /** Of the first stage, those already played included. */
  rounds?: number;
  best_of?: BestOfEnum;
  round_minutes?: number;
  starts_at?: string;
  time_zone?: string;
  /** Whether players without a match in a Swiss round had a bye; otherwise they missed the round. */
  byes?: boolean;
  /** The order of the standings. If left out, that of the file's program. */
  scheme?: string;
  /** The points of a match, by the name of a preset. */
  scoring?: string;
}

export type TransferFormatEnum = "event_file" | "trf" | "nrtm" | "limitless" | "topdeck" | "melee" | "challonge" | "startgg" | "tom" | "roster";

/** What a manual change would do. The costs are empty unless the stage is Swiss. */
export interface Tried {
  changes: Changed[];
  /** The cost as it is, level by level. */
  before: { [name: string]: number };
  after: { [name: string]: number };
  /** Pairs who must not meet, and would. */
  forbidden: string[][];
}

/** The extra turn that the table is playing after time, from 1. */
export interface TurnInputRequest {
  turn: number;
}

/** Two declared positions, or whole logs whose final boards are compared. */
export interface TwoPositionsInputRequest {
  one: { [name: string]: unknown };
  two: { [name: string]: unknown };
}

/** A venue of a club. */
export interface Venue {
  id: number;
  name: string;
  time_zone: string;
  /** Its tables, as ranges. */
  hall: string;
}

/** A venue. One with the same name is replaced. */
export interface VenueInputRequest {
  name: string;
  time_zone?: string;
  hall?: string;
}

/** How many logs changed from one verdict to another. Both are the same if only the reason for it changed. */
export interface VerdictChange {
  verdict_before: string;
  verdict_after: string;
  logs: number;
}

/**
 * A verification, kept for a day from `asked_at`. Poll until it is `ready`.
 *
 * `report` is described in docs/event-file.md; for a file that cannot be read it is `{"unreadable": {"reason", "line",
 * "field"}}`.
 */
export interface Verification {
  id: string;
  asked_at: string;
  ready: boolean;
  /** 0 to 100 */
  progress: number;
  report: { [name: string]: unknown } | null;
  error: string;
}

/** A broken deck rule. */
export interface Violation {
  rule: string;
  section: string;
  /** In the language of Accept-Language. */
  message: string;
  args: unknown;
  /** Interpretations of the rules that this verdict depends on. */
  depends_on: unknown;
}

/** A feature match as the public sees it now. */
export interface Watch {
  match: string;
  delay: number;
  /** The games that have begun, by number. */
  games: number[];
  /** Null before any game has begun. */
  game?: number | null;
  /** The entry after which the board is; 0 is the set-up. */
  n: number;
  /** The entries of the game that the public can see so far, in order. */
  line?: number[];
  /** Whether the recording of the game has ended. */
  over?: boolean;
  /** The last moves up to here: n, by, do, args. A card that may be hidden is a question mark. */
  moves?: unknown;
  /** As a spectator sees it. */
  board?: unknown;
}

/** A way to repair a round: what changes, and its cost level by level. */
export interface Way {
  key: string;
  /** New pairs, including the bye. */
  new: number;
  certified: boolean;
  cost: { [name: string]: number };
  changes: Change[];
  /** The tables that would change and where something has already happened; with any, the repair is refused. */
  begun: number[];
}

/** A webhook, without its secret. `event` is null if it belongs to an account. */
export interface Webhook {
  id: string;
  event?: string | null;
  /** An account. */
  owner: string;
  url: string;
  format: WebhookFormat;
  kinds: KindsEnum[];
  created_at: string;
  /** The first failure since the last success. */
  failing_since: string | null;
  disabled_at: string | null;
  disabled_for: DisabledForEnum | BlankEnum;
  old_secret_until: string | null;
}

export type WebhookFormat = "arbitre" | "discord" | "slack";

/** An https address, and the kinds of ledger entries to send to it. */
export interface WebhookInputRequest {
  url: string;
  kinds: KindsEnum[];
  /**
   * The format of the messages; it cannot change.
   *
   * * `arbitre` - Arbitre * `discord` - Discord * `slack` - Slack
   */
  format?: WebhookFormat;
}

export type WhatEnum = "game" | "match";

export type WhenEnum = "now" | "next_game" | "next_round";

/** Why an entrant has its rank, according to the current results. */
export interface Why {
  /** The event's revision whose results these are. */
  version: number;
  scheme: string;
  rank: number;
  entrant: Named;
  /** In the order in which they decide. */
  figures: Figure[];
  ahead: Neighbour | null;
  behind: Neighbour | null;
}

/** The addresses of what other sites may show of an event in a frame. */
export interface Widgets {
  pairings: string;
  standings: string;
}

/** One of the top places, with the decklist if you may see it. */
export interface Winner {
  rank: number;
  entrant: Named;
  /** Whether there is a decklist that is shown to you. */
  has_list: boolean;
  /** The card that leads the deck. */
  lead: string;
}

/** What each operation takes and answers. */
export interface Operations {
  /** Current announcements, newest first: all of them for staff, otherwise those meant for you. Public. */
  announcements_list: {
    args: { path: { event_id: string }; query?: { limit?: number; offset?: number } };
    answer: AnnouncementPage;
  };
  /** Announce something to everybody, to a stage, or to a table of the current round. For staff. */
  announcements_make: {
    args: { path: { event_id: string }; body: AnnouncementInputRequest };
    answer: Announcement;
  };
  /** Withdraw an announcement. For staff. */
  announcements_withdraw: {
    args: { path: { announcement_id: string } };
    answer: null;
  };
  /** Replace an entrant's answers. For the entrant until registration closes, and for the desk. */
  answers_change: {
    args: { path: { entrant_id: string }; body: AnswersInputRequest };
    answer: Answers;
  };
  /** An entrant's answers, and how a consent was given. For the entrant, and the desk. */
  answers_read: {
    args: { path: { entrant_id: string } };
    answer: Answers;
  };
  /** Approve or decline several applications; each succeeds or is refused separately. For the desk. */
  applications_decide: {
    args: { path: { event_id: string }; body: DecisionInputRequest };
    answer: Decided;
  };
  /** All applications, oldest first, filtered by `status`. For the desk. */
  applications_list: {
    args: { path: { event_id: string }; query?: { limit?: number; offset?: number; status?: "waiting" | "approved" | "declined" | "withdrawn" } };
    answer: ApplicationPage;
  };
  /** Apply for a place, for yourself or a `person` you act for. For any account. */
  applications_make: {
    args: { path: { event_id: string }; body?: ApplicationInputRequest };
    answer: Application;
  };
  /** One application. For the account that made it, and for the desk. */
  applications_read: {
    args: { path: { application_id: string } };
    answer: Application;
  };
  /** Withdraw an application that is waiting. Idempotent. For the account that made it. */
  applications_withdraw: {
    args: { path: { application_id: string } };
    answer: null;
  };
  /** Whether a move is legal in a declared position, or at the end of a log. Nothing is stored. For judges. */
  ask: {
    args: { path: { event_id: string }; body: QuestionInputRequest };
    answer: Answer;
  };
  /** Ban a person in your player book, or an e-mail address, of which only a digest is stored. */
  bans_add: {
    args: { body?: BanInputRequest };
    answer: Ban;
  };
  /** Remove an entry from your ban list. */
  bans_lift: {
    args: { path: { ban_id: number } };
    answer: null;
  };
  /** Your ban list, newest first; bans that have expired are on it. */
  bans_list: {
    args: { query?: { limit?: number; offset?: number } };
    answer: BanPage;
  };
  /** Everybody who entered the events that you organize, by name; `find` searches for names. */
  book_list: {
    args: { query?: { find?: string; limit?: number; offset?: number } };
    answer: BookPlayerPage;
  };
  /** Mark this player and the `other` as the same. The entry that has an account stays, if only one has. */
  book_merge: {
    args: { path: { person_id: string }; body: MergeInputRequest };
    answer: BookPlayer;
  };
  /** One player in your book. */
  book_read: {
    args: { path: { person_id: string } };
    answer: BookPlayer;
  };
  /** Undo the merge of this entry with another one. Idempotent. */
  book_split: {
    args: { path: { person_id: string } };
    answer: BookPlayer;
  };
  /** Save a private name and notes. A field that is empty is deleted. */
  book_write: {
    args: { path: { person_id: string }; body?: BookEntryInputRequest };
    answer: BookPlayer;
  };
  /** Cancel a bulk audit: logs that are still waiting are skipped. For judges who do not play the event. */
  bulk_audits_cancel: {
    args: { path: { bulk_id: string } };
    answer: BulkDetail;
  };
  /** The logs whose audit came out differently, by round and table. For judges who do not play the event. */
  bulk_audits_changes: {
    args: { path: { bulk_id: string }; query?: { limit?: number; offset?: number } };
    answer: BulkChangePage;
  };
  /** The bulk audits that were requested, newest first. For judges who do not play the event. */
  bulk_audits_list: {
    args: { path: { event_id: string }; query?: { limit?: number; offset?: number } };
    answer: BulkAuditPage;
  };
  /** The progress of a bulk audit, and how many verdicts changed to what. For judges who do not play the event. */
  bulk_audits_read: {
    args: { path: { bulk_id: string } };
    answer: BulkDetail;
  };
  /**
   * Have every audited log of the event audited again, under other interpretations or the same ones.
   *
   * It changes no verdict, result or evidence. One at a time. For judges who do not play the event.
   */
  bulk_audits_start: {
    args: { path: { event_id: string }; body?: BulkInputRequest };
    answer: BulkDetail;
  };
  /** Ask for a bye, as far as the stage allows it (the entrant, scope `play`), or award one (the desk). */
  byes_give: {
    args: { path: { entrant_id: string }; body: AwardedByeInputRequest };
    answer: AwardedBye;
  };
  /** All of them, by round, or those of one `round`. For the desk. */
  byes_list: {
    args: { path: { event_id: string }; query?: { limit?: number; offset?: number; round?: number } };
    answer: AwardedByePage;
  };
  /** Cancel the bye, as long as its round is not paired. For the entrant who asked for it, or the desk. */
  byes_take_back: {
    args: { path: { entrant_id: string; number: number } };
    answer: null;
  };
  /** The secret address of the calendar with your events; null while there is none. */
  calendar: {
    args: {};
    answer: Calendar;
  };
  /** Create an address for your calendar. The previous one no longer works. */
  calendar_make: {
    args: {};
    answer: Calendar;
  };
  /** Make the address of your calendar invalid. Idempotent. */
  calendar_stop: {
    args: {};
    answer: null;
  };
  /** The calls that are waiting or being answered, oldest first. For judges. */
  calls_list: {
    args: { path: { event_id: string }; query?: { limit?: number; offset?: number; status?: "waiting" | "claimed" } };
    answer: CallPage;
  };
  /**
   * Claim the call, arrive at its table, release it to another judge, escalate it to the head judge, or end it.
   *
   * For judges, except for their own matches.
   */
  calls_step: {
    args: { path: { call_id: string }; body: CallStepInputRequest };
    answer: Call;
  };
  /** Withdraw the call while no judge is on the way. For the players of the table. */
  calls_withdraw: {
    args: { path: { call_id: string } };
    answer: null;
  };
  /** What one card does, with its sentences and problems. */
  card_effects_read: {
    args: { path: { catalog: string; game: string; ref: string } };
    answer: CardEffects;
  };
  /** Save what a card does, as a new version of your catalogue. Events keep the version they use. Idempotent. */
  card_effects_save: {
    args: { path: { catalog: string; game: string; ref: string }; body: CardEffectsInputRequest };
    answer: CardEffects;
  };
  /** Apply a file of effects, as a new version, or preview what it would change. Idempotent. */
  catalogue_effects_apply: {
    args: { path: { catalog: string; game: string }; body: EffectsApplyInputRequest };
    answer: EffectsApplied;
  };
  /** The file of effects of your catalogue: what its cards do, by reference, without their text. */
  catalogue_effects_read: {
    args: { path: { catalog: string; game: string } };
    answer: { [name: string]: unknown };
  };
  /** Discard the upload. A catalogue that was saved from it stays. */
  catalogue_uploads_discard: {
    args: { path: { upload_id: string } };
    answer: null;
  };
  /** Save a list that has been read as the next version of your catalogue. Idempotent. */
  catalogue_uploads_keep: {
    args: { path: { upload_id: string } };
    answer: CatalogueDetail;
  };
  /** Upload a file of cards for review: CSV, XLSX or JSON, at most 8 MiB. A job reads it: poll the upload. */
  catalogue_uploads_open: {
    args: { query?: { game?: "altered" | "saint-seiya" | "star-safir" | "stellar-nexus" | "wakfu"; id?: string }; body: Binary };
    answer: CatalogueUpload;
  };
  /** The progress of reading the list, then its first cards, or all of its faults. */
  catalogue_uploads_read: {
    args: { path: { upload_id: string } };
    answer: CatalogueUpload;
  };
  /**
   * Choose another catalogue, before the event starts. For organizers and owners.
   *
   * Decklists are checked again; those that become legal or illegal have to be accepted (`verdicts_change`).
   */
  catalogues_choose: {
    args: { path: { event_id: string }; body: CatalogueInputRequest };
    answer: Catalogue[];
  };
  /** Give all versions of a catalogue to a club that you manage, or with null back to the uploader. Idempotent. */
  catalogues_give: {
    args: { path: { id: number }; body: OwningClubInputRequest };
    answer: OwnCatalogue;
  };
  /** The catalogues of the event's game, with the chosen one marked. For organizers and owners. */
  catalogues_list: {
    args: { path: { event_id: string } };
    answer: Catalogue[];
  };
  /**
   * Have the event checked now. While a check is waiting or running, no second one is started.
   *
   * For organizers and owners.
   */
  checks_ask: {
    args: { path: { event_id: string } };
    answer: Check;
  };
  /** The result of the last check. For anybody who may see the event; the faults are for staff who do not play. */
  checks_read: {
    args: { path: { event_id: string } };
    answer: Check;
  };
  /** Start, pause, resume or extend the clock, or cancel its planned start. For the desk. */
  clock_change: {
    args: { path: { event_id: string; number: number }; body: ClockInputRequest };
    answer: Clock;
  };
  /** The clock of a published round. For anybody who may see its pairings. */
  clock_read: {
    args: { path: { event_id: string; number: number } };
    answer: Clock;
  };
  /** Add an event that you own to the club. Idempotent. For its owners and organizers. */
  clubs_add_event: {
    args: { path: { club_id: string }; body: ClubEventInputRequest };
    answer: ClubDetail;
  };
  /** Change what a club says about itself. For its owners and organizers. */
  clubs_change: {
    args: { path: { club_id: string }; body?: PatchedClubInputRequest };
    answer: ClubDetail;
  };
  /** Create a convention of a club. For its owners and organizers. */
  clubs_convention: {
    args: { path: { club_id: string }; body: NewConventionInputRequest };
    answer: Convention;
  };
  /** Create a club; you become its owner. */
  clubs_create: {
    args: { body: NewClubInputRequest };
    answer: ClubDetail;
  };
  /** Delete a club. Its events stay, with the staff they have. For its owners. */
  clubs_delete: {
    args: { path: { club_id: string } };
    answer: null;
  };
  /** Delete a venue. For owners and organizers of the club. */
  clubs_delete_venue: {
    args: { path: { club_id: string; id: number } };
    answer: null;
  };
  /** The events of a club that you may find, newest first. */
  clubs_events: {
    args: { path: { club_id: string }; query?: { limit?: number; offset?: number } };
    answer: ClubEventPage;
  };
  /** Give the account with this e-mail address a role in the club and at its events. Idempotent. For owners. */
  clubs_grant: {
    args: { path: { club_id: string }; body: ClubRoleInputRequest };
    answer: ClubRole[];
  };
  /** Make another account the owner of the club in your place; its events follow. For owners. */
  clubs_hand_over: {
    args: { path: { club_id: string }; body: ClubHandOverInputRequest };
    answer: null;
  };
  /** All clubs, by name. */
  clubs_list: {
    args: { query?: { limit?: number; offset?: number } };
    answer: ClubPage;
  };
  /** A club with its venues and conventions. For everybody. */
  clubs_read: {
    args: { path: { club_id: string } };
    answer: ClubDetail;
  };
  /** Remove an event from the club, with the roles that the club gave there. For owners of the club. */
  clubs_remove_event: {
    args: { path: { club_id: string; event_id: string } };
    answer: null;
  };
  /** Revoke a role in the club and at its events. For owners. */
  clubs_revoke: {
    args: { path: { club_id: string; id: number } };
    answer: null;
  };
  /** Who has which role in a club. For its owners. */
  clubs_roles: {
    args: { path: { club_id: string } };
    answer: ClubRole[];
  };
  /** Add a venue, or replace the one with this name. For owners and organizers of the club. */
  clubs_save_venue: {
    args: { path: { club_id: string }; body: VenueInputRequest };
    answer: Venue;
  };
  /** Create a series of draft events with the settings of one of the club's. For its owners and organizers. */
  clubs_series: {
    args: { path: { club_id: string }; body: SeriesInputRequest };
    answer: ClubEvent[];
  };
  /** Add a code that takes a percentage or an amount off a price. For organizers and owners. */
  codes_add: {
    args: { path: { event_id: string }; body: CodeInputRequest };
    answer: Code;
  };
  /** The codes of the event, and how often each was used. For the desk. */
  codes_list: {
    args: { path: { event_id: string } };
    answer: Code[];
  };
  /** Stop accepting a code. For organizers and owners. */
  codes_remove: {
    args: { path: { code_id: string } };
    answer: null;
  };
  /** Note that a guardian has consented on paper, or remove a consent. For the desk. */
  consent_note: {
    args: { path: { entrant_id: string }; body: ConsentInputRequest };
    answer: Answers;
  };
  /** Set how players can reach the organizer, as shown on the event's page. For organizers and owners. */
  contact_choose: {
    args: { path: { event_id: string }; body: ContactInputRequest };
    answer: EventDetail;
  };
  /** Add an event of the club to the convention. Idempotent. For owners and organizers of the club. */
  conventions_add_event: {
    args: { path: { convention_id: string }; body: ClubEventInputRequest };
    answer: Convention;
  };
  /** Change a convention. For owners and organizers of the club. */
  conventions_change: {
    args: { path: { convention_id: string }; body?: PatchedConventionInputRequest };
    answer: Convention;
  };
  /** Delete a convention. Its events stay as they are. For owners and organizers of the club. */
  conventions_delete: {
    args: { path: { convention_id: string } };
    answer: null;
  };
  /** A convention with its events and their tables. For everybody, unless only staff see it yet. */
  conventions_read: {
    args: { path: { convention_id: string } };
    answer: Convention;
  };
  /** Take an event out of the convention. For owners and organizers of the club. */
  conventions_remove_event: {
    args: { path: { convention_id: string; event_id: string } };
    answer: null;
  };
  /** Assign the tables of the hall to the events that have not begun. For owners and organizers of the club. */
  conventions_tables: {
    args: { path: { convention_id: string } };
    answer: Convention;
  };
  /** Save what was counted, and extend the table's time. For judges who do not play the event. */
  deck_checks_finish: {
    args: { path: { check_id: string }; body?: CountInputRequest };
    answer: DeckCheck;
  };
  /** The deck checks of a round, by table. For judges who do not play the event. */
  deck_checks_list: {
    args: { path: { event_id: string; number: number }; query?: { limit?: number; offset?: number } };
    answer: DeckCheckPage;
  };
  /** Pick tables at random, from a recorded seed, or take a given one. For judges who do not play the event. */
  deck_checks_open: {
    args: { path: { event_id: string; number: number }; body?: OpenChecksInputRequest };
    answer: DeckCheck[];
  };
  /** The cards on the decklist, and the differences that were counted. For judges who do not play the event. */
  deck_checks_read: {
    args: { path: { check_id: string } };
    answer: DeckCheck;
  };
  /**
   * Choose another deck format, before any decklist or pool is registered. For organizers and owners.
   *
   * The options of another format begin with its own defaults.
   */
  deck_format_choose: {
    args: { path: { event_id: string }; body: DeckFormatInputRequest };
    answer: DeckFormats;
  };
  /** The chosen deck format, and all those of the game with their options. For organizers and owners. */
  deck_format_read: {
    args: { path: { event_id: string } };
    answer: DeckFormats;
  };
  /**
   * The newest version of the decklist.
   *
   * For the entrant, for staff who may read decklists and do not play, and for anybody the event shows it to. In a
   * team, that of the `member` (a person), or your own; team mates cannot read it.
   */
  decklists_read: {
    args: { path: { entrant_id: string }; query?: { member?: string } };
    answer: Decklist;
  };
  /**
   * Submit a version of the decklist. For the entrant (scope `play`), or the desk, from paper (scope `organize`).
   *
   * An illegal decklist is saved with all its faults; an unreadable one is refused. In a team each member submits their
   * own, and the desk says whose it is (`member`).
   */
  decklists_submit: {
    args: { path: { entrant_id: string }; body: MemberDecklistInputRequest };
    answer: Decklist;
  };
  /** Show your notifications on a device, by its push subscription (RFC 8030) for our `push_key`. */
  devices_add: {
    args: { body: DeviceInputRequest };
    answer: Device;
  };
  /** The devices that show your notifications, oldest first, without their keys. */
  devices_list: {
    args: {};
    answer: Device[];
  };
  /** Stop showing notifications on a device. */
  devices_remove: {
    args: { path: { device_id: string } };
    answer: null;
  };
  /** Send a test notification to a device. */
  devices_test: {
    args: { path: { device_id: string } };
    answer: null;
  };
  /**
   * The differences between two positions, or the final boards of two logs. Nothing is stored. For judges.
   *
   * Only facts that are known in both are compared.
   */
  difference: {
    args: { path: { event_id: string }; body: TwoPositionsInputRequest };
    answer: Difference[];
  };
  /**
   * The disputes that are waiting for a judge, oldest first. For judges.
   *
   * If a result has only been contested, its match is `disputed`; the first ruling on it opens a dispute.
   */
  disputes_list: {
    args: { path: { event_id: string }; query?: { limit?: number; offset?: number } };
    answer: DisputePage;
  };
  /** Start, pause or resume the clock, set it to a step, or undo its start. For the desk. */
  draft_change: {
    args: { path: { event_id: string; number: number }; body: DraftInputRequest };
    answer: Draft;
  };
  /** The clock of a draft and all of its steps. Public. */
  draft_read: {
    args: { path: { event_id: string; number: number } };
    answer: Draft;
  };
  /** All the choices for writing what a card of a game does, with labels in your language. */
  effect_words_read: {
    args: { path: { game: string } };
    answer: { [name: string]: unknown };
  };
  /** Read what a card does: a sentence for each ability, and the linter's problems. Nothing is stored. */
  effects_read: {
    args: { path: { game: string }; body: EffectsInputRequest };
    answer: EffectsRead;
  };
  /** Record that the entrant is present. For the entrant, or the desk. Idempotent. */
  entrants_check_in: {
    args: { path: { entrant_id: string } };
    answer: Entrant;
  };
  /** Claim the entry for yourself, or for a `person` you act for, with the signature from its claim link. */
  entrants_claim: {
    args: { path: { entrant_id: string }; body: EntryClaimInputRequest };
    answer: Entrant;
  };
  /** The address where an account can claim this entry, once. For the desk. */
  entrants_claim_link: {
    args: { path: { entrant_id: string } };
    answer: SeatLink;
  };
  /** Close the decklist again without a new version. For head judges. */
  entrants_close_list: {
    args: { path: { entrant_id: string }; query?: { member?: string } };
    answer: null;
  };
  /**
   * What the player was given at other events of the club, newest first, as long as the club shows it.
   *
   * For head judges of the event.
   */
  entrants_club_penalties: {
    args: { path: { entrant_id: string } };
    answer: ClubPenalty[];
  };
  /**
   * Register yourself (with an empty body) or a `person` you act for, or enter somebody by name from the desk.
   *
   * Once round 1 is paired, an entry from the desk is a late entry. A name that is already in the event is refused
   * (`name_taken`) unless `another` says that it belongs to a different person. `known` enters a person whom the desk
   * knows from an earlier event; the answer to a name lists them as `known`.
   */
  entrants_create: {
    args: { path: { event_id: string }; body?: EntrantInputRequest };
    answer: Entered;
  };
  /**
   * Disqualify an entrant, with a reason. Idempotent.
   *
   * For the head judge, organizers and owners who do not play.
   */
  entrants_disqualify: {
    args: { path: { entrant_id: string }; body: ReasonInputRequest };
    answer: Entrant;
  };
  /**
   * Drop out of all later rounds. For the entrant, or the desk. Idempotent.
   *
   * With `concede`, and always in a bracket, the opponent wins the match in progress.
   */
  entrants_drop: {
    args: { path: { entrant_id: string }; body?: DropInputRequest };
    answer: Entrant;
  };
  /** How the entry fee was settled. For the desk. */
  entrants_entry: {
    args: { path: { entrant_id: string } };
    answer: Entry;
  };
  /** The entrants in the order they entered, filtered by `status` or words of the name. Public. */
  entrants_list: {
    args: { path: { event_id: string }; query?: { find?: string; limit?: number; offset?: number; status?: "registered" | "waiting" | "dropped" } };
    answer: EntrantPage;
  };
  /** Merge this entrant into another one, which stays. This cannot be undone. For the desk. */
  entrants_merge: {
    args: { path: { entrant_id: string }; body: MergeEntrantsInputRequest };
    answer: Entrant;
  };
  /** Set one or both. For the desk. */
  entrants_needs_note: {
    args: { path: { entrant_id: string }; body?: NeedsInputRequest };
    answer: Needs;
  };
  /** The club and the fixed table of an entrant. For the desk. */
  entrants_needs_read: {
    args: { path: { entrant_id: string } };
    answer: Needs;
  };
  /**
   * Give a penalty. For judges, but not for themselves or at their own table.
   *
   * A disqualification needs the role to disqualify as well: head judge, organizer or owner. 409 `penalty_twice` if the
   * player was given a penalty for the same infraction in the last minute, unless `again` is true.
   */
  entrants_penalize: {
    args: { path: { entrant_id: string }; body: PenaltyInputRequest };
    answer: Penalty;
  };
  /** The entrant's penalties at the event, in order, and the levels now proposed. For the entrant, and judges. */
  entrants_penalties: {
    args: { path: { entrant_id: string } };
    answer: History;
  };
  /** The match that an entrant plays now, the earlier ones, and the place in the standings, if not hidden. */
  entrants_progress: {
    args: { path: { entrant_id: string } };
    answer: Progress;
  };
  /**
   * Undo a drop. For the entrant, until a round is paired without them, or the desk, also later.
   *
   * Rounds paired in between count as missed, if the event allows late entries.
   */
  entrants_reinstate: {
    args: { path: { entrant_id: string } };
    answer: Entrant;
  };
  /** Correct the name of somebody without an account. The ledger records this without the names. For the desk. */
  entrants_rename: {
    args: { path: { entrant_id: string }; body: EntrantNameInputRequest };
    answer: Entered;
  };
  /** Reopen a decklist after the lock, for one more version, with a reason and a penalty. For head judges. */
  entrants_reopen_list: {
    args: { path: { entrant_id: string }; body: ReopenInputRequest };
    answer: Penalty;
  };
  /** The address, for a QR code, that shows this seat and can check it in. For the desk. */
  entrants_seat_link: {
    args: { path: { entrant_id: string } };
    answer: SeatLink;
  };
  /** Record how the entry fee was settled, with the price if there is one, or that it is owed. For the desk. */
  entrants_settle: {
    args: { path: { entrant_id: string }; body: EntryInputRequest };
    answer: Entry;
  };
  /**
   * Check in, undo check-in, drop or reinstate up to 500 entrants. For the desk.
   *
   * Each one succeeds or is refused separately; `refused` says who was refused, and why.
   */
  entrants_several: {
    args: { path: { event_id: string }; body: SeveralInputRequest };
    answer: Several;
  };
  /** Undo the check-in while check-in is open. For the entrant, or the desk. Idempotent. */
  entrants_undo_check_in: {
    args: { path: { entrant_id: string } };
    answer: Entrant;
  };
  /** Take over the entry, for yourself or for a `person` you act for, with the secret from the link. */
  entry_invitations_accept: {
    args: { path: { invitation_id: string }; body: AcceptEntryInputRequest };
    answer: Entrant;
  };
  /** Set or correct the e-mail address of an entrant without an account; nothing is sent yet. For the desk. */
  entry_invitations_address: {
    args: { path: { entrant_id: string }; body: AddressInputRequest };
    answer: EntryInvitation;
  };
  /** Every entrant with the state of their invitation. For the desk. */
  entry_invitations_list: {
    args: { path: { event_id: string }; query?: { limit?: number; offset?: number; state?: "not_invited" | "no_address" | "sending" | "invited" | "opened" | "taken_over" | "account" } };
    answer: EntryInvitationPage;
  };
  /** E-mail links to entrants whose address is known. Nobody gets two within a day. For the desk. */
  entry_invitations_send: {
    args: { path: { event_id: string }; body?: InviteEntrantsInputRequest };
    answer: Invited;
  };
  /** Withdraw the invitation of an entrant and delete the address. Idempotent. For the desk. */
  entry_invitations_withdraw: {
    args: { path: { entrant_id: string } };
    answer: null;
  };
  /**
   * Have a job write the whole event as one file that can be verified later.
   *
   * For organizers and owners; while the event is in progress, not for those who play it.
   */
  event_file_ask: {
    args: { path: { event_id: string }; body?: EventFileInputRequest };
    answer: EventFile;
  };
  /**
   * Create a draft event with the same settings, and become its owner. For organizers and owners of this one.
   *
   * A start in the past is refused (`starts_in_past`) until it is sent with `acknowledged`.
   */
  events_copy: {
    args: { path: { event_id: string }; body: CloneInputRequest };
    answer: EventDetail;
  };
  /**
   * Create an event from a preset, as a draft; you become its owner.
   *
   * A start in the past is refused (`starts_in_past`) until it is sent with `acknowledged`.
   */
  events_create: {
    args: { body: EventInputRequest };
    answer: EventDetail;
  };
  /**
   * Change the name, the description, the capacity, and where and when the event takes place.
   *
   * For organizers and owners. A new start in the past is refused (`starts_in_past`) until it is sent with
   * `acknowledged`.
   */
  events_details: {
    args: { path: { event_id: string }; body?: DetailsInputRequest };
    answer: EventDetail;
  };
  /** Follow an event. Idempotent. */
  events_follow: {
    args: { path: { event_id: string } };
    answer: null;
  };
  /** The address, for a QR code, where many people on the same network can sign up and register. For staff. */
  events_join_link: {
    args: { path: { event_id: string } };
    answer: Link;
  };
  /** Public events and your own drafts, newest first. */
  events_list: {
    args: { query?: { find?: string; game?: string; limit?: number; offset?: number; over?: boolean | null; since?: string; status?: "draft" | "registration" | "locked" | "check_in" | "running" | "finished" | "archived" | "cancelled"; until?: string } };
    answer: EventPage;
  };
  /**
   * Other events at the same time.
   *
   * Staff get those that share an organizer or the place; players get those that they have also entered.
   */
  events_overlaps: {
    args: { path: { event_id: string } };
    answer: Overlaps;
  };
  /** One event, with its revision and your own roles. Only staff can see a draft. */
  events_read: {
    args: { path: { event_id: string } };
    answer: EventDetail;
  };
  /** Replace the join link: the old one stops working. For organizers and owners. */
  events_renew_join_link: {
    args: { path: { event_id: string } };
    answer: Link;
  };
  /** Move the event to its next state. For organizers and owners; `reopen` is for owners only. */
  events_step: {
    args: { path: { event_id: string }; body: StepInputRequest };
    answer: EventDetail;
  };
  /** Stop following an event. Idempotent. */
  events_stop_following: {
    args: { path: { event_id: string } };
    answer: null;
  };
  /** The webhooks of an event. For organizers and owners. */
  events_webhooks: {
    args: { path: { event_id: string } };
    answer: Webhook[];
  };
  /** Create a webhook for an event. Its secret is only in this response. For organizers and owners. */
  events_webhooks_create: {
    args: { path: { event_id: string }; body: WebhookInputRequest };
    answer: NewWebhook;
  };
  /**
   * A whole table: `entrants`, `pairings`, `results`, `standings`, `final`, `categories`, `decks` or `metagame`.
   *
   * Public, except for `decks`, which is for anybody the event shows its decklists to, and `metagame`, which is for the
   * same readers once the event is over. Staff who may read decklists and do not play can read both at any time.
   */
  exports_read: {
    args: { path: { event_id: string; table: string }; query?: { as?: "json" | "csv" | "txt"; stage?: number } };
    answer: { [name: string]: unknown } | string;
  };
  /**
   * Let the public follow the match, or change the delay. For staff.
   *
   * 409 if one of its players stays off streams.
   */
  feature_name: {
    args: { path: { match_id: string }; body?: FeatureInputRequest };
    answer: Feature;
  };
  /** End it: the public can no longer follow the match. Idempotent. For staff. */
  feature_withdraw: {
    args: { path: { match_id: string } };
    answer: null;
  };
  /** The feature matches that you can follow now, newest first. Public. */
  features_list: {
    args: { path: { event_id: string } };
    answer: Feature[];
  };
  /** The file, compressed with gzip; 404 until it is ready. For organizers and owners. */
  files_download: {
    args: { path: { file_id: string } };
    answer: Binary;
  };
  /** The progress of an event file. For organizers and owners. */
  files_read: {
    args: { path: { file_id: string } };
    answer: EventFile;
  };
  /** One ranking over all stages: the places of the last stage first, then the others by the earlier stages. */
  final_ranking: {
    args: { path: { event_id: string }; query?: { limit?: number; offset?: number } };
    answer: Final;
  };
  /** The events and players that you follow, newest first. */
  follows_list: {
    args: { query?: { limit?: number; offset?: number } };
    answer: FollowPage;
  };
  /** Keep two entrants from meeting in Swiss rounds. Idempotent. For the desk. */
  forbidden_pairs_add: {
    args: { path: { event_id: string }; body: ForbiddenPairInputRequest };
    answer: ForbiddenPair;
  };
  /** All pairs who must not meet, with the reasons. For the desk. */
  forbidden_pairs_list: {
    args: { path: { event_id: string }; query?: { limit?: number; offset?: number } };
    answer: ForbiddenPairPage;
  };
  /** Allow the two to meet again. For the desk. */
  forbidden_pairs_remove: {
    args: { path: { event_id: string; pair: number } };
    answer: null;
  };
  /** Delete a format. Events created from it stay as they are. */
  formats_delete: {
    args: { path: { format_id: string } };
    answer: null;
  };
  /** Give a format to a club that you manage, or with null back to the account that saved it. Idempotent. */
  formats_give: {
    args: { path: { format_id: string }; body: OwningClubInputRequest };
    answer: SavedFormat;
  };
  /** The formats you saved, by name. */
  formats_list: {
    args: {};
    answer: SavedFormat[];
  };
  /** Save the settings of an event as a format; the same name again replaces it. For its organizers and owners. */
  formats_save: {
    args: { body: SavedFormatInputRequest };
    answer: SavedFormat;
  };
  /**
   * The current end of the ledger, signed. For anybody who may see the event.
   *
   * Keep it: `manage.py verify --head` can tell later whether the ledger still contains this entry.
   */
  head_read: {
    args: { path: { event_id: string } };
    answer: SignedHead;
  };
  /** Your entries in all events, newest first, with the number of matches that count. */
  history: {
    args: { query?: { limit?: number; offset?: number } };
    answer: PlayedPage;
  };
  /** Change how the file is read. For the desk. */
  imports_change: {
    args: { path: { import_id: string }; body?: PatchedReadingInputRequest };
    answer: Import;
  };
  /** Enter everybody in the file. A job does this for a long file: poll the import. Idempotent. For the desk. */
  imports_confirm: {
    args: { path: { import_id: string }; body?: ConfirmImportInputRequest };
    answer: Import;
  };
  /** Discard a file that has not been confirmed. For the desk. */
  imports_discard: {
    args: { path: { import_id: string } };
    answer: null;
  };
  /** Upload a CSV file, or a list of names, for review. Nobody is entered until it is confirmed. For the desk. */
  imports_open: {
    args: { path: { event_id: string }; body: ImportInputRequest };
    answer: Import;
  };
  /** What confirming the file would do, or what it did. For the desk. */
  imports_read: {
    args: { path: { import_id: string } };
    answer: Import;
  };
  /** Every infraction by category, with the levels that its ladder proposes. Public. */
  infractions_list: {
    args: {};
    answer: Infraction[];
  };
  /** Accept the role, with the secret from the link. For any account. */
  invitations_accept: {
    args: { path: { invitation_id: string }; body: SecretInputRequest };
    answer: Staff;
  };
  /** The open invitations. For owners. */
  invitations_list: {
    args: { path: { event_id: string } };
    answer: Invitation[];
  };
  /** Create a link for a role; if an `email` is given, the link is sent there. For owners. */
  invitations_make: {
    args: { path: { event_id: string }; body: InvitationInputRequest };
    answer: Invitation;
  };
  /** Cancel an invitation. Idempotent. For owners. */
  invitations_withdraw: {
    args: { path: { invitation_id: string } };
    answer: null;
  };
  /** The empty seats of a round, and what is due at each. For the desk and judges. */
  late_seats_list: {
    args: { path: { event_id: string; number: number }; query?: { limit?: number; offset?: number } };
    answer: LateSeatPage;
  };
  /** Add an event that you organize. Idempotent. For its owner, and the managers of its club. */
  leagues_add_event: {
    args: { path: { league_id: string }; body: LeagueEventInputRequest };
    answer: LeagueDetail;
  };
  /** Change the name, visibility or rules of a league. For its owner, and the managers of its club. */
  leagues_change: {
    args: { path: { league_id: string }; body?: PatchedLeagueInputRequest };
    answer: LeagueDetail;
  };
  /** Create a league, without events; you become its owner. */
  leagues_create: {
    args: { body: NewLeagueInputRequest };
    answer: LeagueDetail;
  };
  /** Delete a league. Its events stay as they are. For its owner, and the managers of its club. */
  leagues_delete: {
    args: { path: { league_id: string } };
    answer: null;
  };
  /** One row per result, with exact numbers. For everybody, unless the league is private. */
  leagues_export: {
    args: { path: { league_id: string }; query?: { as?: "json" | "csv" | "txt" } };
    answer: { [name: string]: unknown } | string;
  };
  /** The public leagues and your own, newest first. */
  leagues_list: {
    args: { query?: { limit?: number; offset?: number } };
    answer: LeaguePage;
  };
  /** The names that several players of the league have, at events that you organize. For its managers. */
  leagues_namesakes: {
    args: { path: { league_id: string }; query?: { limit?: number; offset?: number } };
    answer: NamesakesPage;
  };
  /** The ratings of a league, best first; 404 if it has none. For everybody, unless the league is private. */
  leagues_ratings: {
    args: { path: { league_id: string }; query?: { limit?: number; offset?: number } };
    answer: LeagueRatingPage;
  };
  /** A league with its rules and events. For everybody, unless it is private. */
  leagues_read: {
    args: { path: { league_id: string } };
    answer: LeagueDetail;
  };
  /** Remove an event from the league. For its owner, and the managers of its club. */
  leagues_remove_event: {
    args: { path: { event_id: string; league_id: string } };
    answer: null;
  };
  /** Mark players as the same, and return who represents them. All or none. For the managers of the league. */
  leagues_same: {
    args: { path: { league_id: string }; body: NamesakesInputRequest };
    answer: Named;
  };
  /** Undo a merge: this person is a player of their own again. Idempotent. For the managers of the league. */
  leagues_split: {
    args: { path: { league_id: string; person_id: string } };
    answer: null;
  };
  /** Every player with every result, and why it counts or not. For everybody, unless the league is private. */
  leagues_standings: {
    args: { path: { league_id: string } };
    answer: LeagueStandings;
  };
  /** The entries of the ledger, oldest first, filtered by number (`since`) or `code`. For staff. */
  ledger_list: {
    args: { path: { event_id: string }; query?: { code?: string; limit?: number; offset?: number; since?: number } };
    answer: LedgerEntryPage;
  };
  /**
   * Read a decklist or pool without saving it: the lines that cannot be read, with suggestions.
   *
   * A share code, a document or a table comes back as text with a card on each line. For everybody who sees the event.
   */
  lists_read: {
    args: { path: { event_id: string }; body: ListToReadInputRequest };
    answer: ListDraft;
  };
  /**
   * The board after entry `n` (0: before the first), as you may see it, and the move that led there.
   *
   * 404 beyond the last entry that was replayed, and until the audit is done. At a refused entry the board is the one
   * before it. For whoever sent the log, judges who do not play the event, and the players of the match if it is shown
   * to them.
   */
  logs_board: {
    args: { path: { log_id: string }; query: { n: number } };
    answer: Board;
  };
  /**
   * Correct an entry and audit what follows. For judges who do not play the event.
   *
   * The variation is stored with the dispute of the match; the log itself does not change.
   */
  logs_branch: {
    args: { path: { log_id: string }; body: BranchInputRequest };
    answer: Branch;
  };
  /** The variations of a log. For judges who do not play the event. */
  logs_branches: {
    args: { path: { log_id: string } };
    answer: Branch[];
  };
  /** The log itself, byte for byte. For whoever sent it, and judges who do not play the event. */
  logs_document: {
    args: { path: { log_id: string } };
    answer: { [name: string]: unknown };
  };
  /**
   * Save the merged log as another log of the game, and audit it. For judges who do not play the event.
   *
   * 409 `logs_differ` if the two contradict each other.
   */
  logs_keep_merged: {
    args: { path: { log_id: string; other_id: string } };
    answer: Log;
  };
  /**
   * The moves that were legal after entry `n`, or before it if it was refused.
   *
   * 404 as for the board. Judges who do not play the event get the moves of every seat, the player who sent the log
   * only their own. If there are more moves than are listed, the response has the header `X-More: true`.
   */
  logs_legal: {
    args: { path: { log_id: string }; query: { n: number } };
    answer: LegalMove[];
  };
  /** The logs of a game that you may read: your own, or all if you are a judge who does not play the event. */
  logs_list: {
    args: { path: { match_id: string; number: number } };
    answer: Log[];
  };
  /** The two as one log, or their first difference. Nothing is stored. For judges who do not play the event. */
  logs_merge: {
    args: { path: { log_id: string; other_id: string } };
    answer: Merged;
  };
  /**
   * The board after entry `n` as a picture, a PNG, with the move that led there. Cards, access and 404 as there.
   *
   * Players who stay off streams are not named.
   */
  logs_picture: {
    args: { path: { log_id: string }; query: { n: number } };
    answer: Binary;
  };
  /** A log with the report of its audit. For whoever sent it, and judges who do not play the event. */
  logs_read: {
    args: { path: { log_id: string } };
    answer: LogDetail;
  };
  /** Other players' logs that a judge shares with you as a player of the match: see `board`. */
  logs_replays: {
    args: { path: { match_id: string; number: number } };
    answer: Replay[];
  };
  /**
   * Let the players of the match replay a log, each as their seat saw the game, or stop letting them.
   *
   * For judges who do not play the event.
   */
  logs_share: {
    args: { path: { log_id: string }; body: ShareInputRequest };
    answer: Log;
  };
  /**
   * Submit a move log. The body is the document itself, at most 8 MiB; it is stored byte for byte and audited.
   *
   * For the players and the judges of the match. The same document again returns the stored log.
   */
  logs_submit: {
    args: { path: { match_id: string; number: number }; body?: { [name: string]: unknown } };
    answer: Log;
  };
  /** Ask the head judge to review the ruling on your match. The ruling stands until then. */
  matches_appeal: {
    args: { path: { match_id: string }; body: ClaimInputRequest };
    answer: MatchDisputes;
  };
  /** Call a judge to your table. If the table already has an open call, that one is returned. For its players. */
  matches_call: {
    args: { path: { match_id: string }; body?: CallInputRequest };
    answer: Call;
  };
  /** All calls of a match, oldest first. For its players, and judges who do not play it. */
  matches_calls: {
    args: { path: { match_id: string } };
    answer: Call[];
  };
  /** Ask a judge to look into your match. The result stands until then. */
  matches_claim: {
    args: { path: { match_id: string }; body: ClaimInputRequest };
    answer: MatchDisputes;
  };
  /** Confirm your opponent's report: the result then counts. Idempotent. */
  matches_confirm: {
    args: { path: { match_id: string }; body: ConfirmInputRequest };
    answer: MatchDetail;
  };
  /** Confirm your opponent's report of your board. Idempotent. */
  matches_confirm_board: {
    args: { path: { match_id: string; number: number }; body: ConfirmInputRequest };
    answer: MatchDetail;
  };
  /** Contest your opponent's report: a judge decides. If two reports differ, any player of the match may. */
  matches_contest: {
    args: { path: { match_id: string }; body: ContestInputRequest };
    answer: MatchDetail;
  };
  /** Contest your opponent's report of your board: a judge decides, and the other boards go on. */
  matches_contest_board: {
    args: { path: { match_id: string; number: number }; body: ContestInputRequest };
    answer: MatchDetail;
  };
  /** Claims, rulings and appeals. For the players of the match, and judges who do not play it. */
  matches_disputes: {
    args: { path: { match_id: string } };
    answer: MatchDisputes;
  };
  /** Give one table more time. For judges and the desk, except for their own matches. */
  matches_extend: {
    args: { path: { match_id: string }; body: MinutesInputRequest };
    answer: MatchDetail;
  };
  /**
   * Mark a seat as empty or filled, or confirm a loss that is due.
   *
   * For the desk and judges, except for their own matches.
   */
  matches_lateness: {
    args: { path: { match_id: string }; body: LatenessInputRequest };
    answer: LateSeat[];
  };
  /** A match of a published round. Matches of a draft are for staff who do not play. */
  matches_read: {
    args: { path: { match_id: string } };
    answer: MatchDetail;
  };
  /**
   * Report the result of your match.
   *
   * The same report by the opponent confirms it. A different one becomes the `differing_report`, until one of the two
   * confirms the other's report, reports the same, or calls a judge.
   */
  matches_report: {
    args: { path: { match_id: string }; body?: ReportInputRequest };
    answer: MatchDetail;
  };
  /**
   * Report the result of your own board in a team match.
   *
   * The same report by your opponent confirms it. The match counts once the players of every board agree.
   */
  matches_report_board: {
    args: { path: { match_id: string; number: number }; body: BoardReportInputRequest };
    answer: MatchDetail;
  };
  /**
   * Enter the result. For the desk, except for their own matches. The same result again changes nothing.
   *
   * If a later round was paired before a correction, `paired_before` in the response is its number: it may need a
   * repair.
   */
  matches_result: {
    args: { path: { match_id: string }; body?: DeskResultInputRequest };
    answer: MatchDetail;
  };
  /**
   * Keep the result, change it, or order a replay, with a reason. This ends a dispute.
   *
   * For judges, except for their own matches; after an appeal, for the head judge only.
   */
  matches_rule: {
    args: { path: { match_id: string }; body: RulingInputRequest };
    answer: MatchDetail;
  };
  /** Choose which seat starts. For the higher-seeded player (scope `play`), or the desk (scope `organize`). */
  matches_start: {
    args: { path: { match_id: string }; body: StartInputRequest };
    answer: MatchDetail;
  };
  /**
   * Record which extra turn a table is playing after time.
   *
   * For judges and the desk, except for their own matches.
   */
  matches_turn: {
    args: { path: { match_id: string }; body: TurnInputRequest };
    answer: null;
  };
  /** Undo your own last entry at this table, with the drops on its slip. For the desk. */
  matches_undo: {
    args: { path: { match_id: string } };
    answer: MatchDetail;
  };
  /** Your account, and your entries in events that are not over, with their matches in the current round. */
  me: {
    args: {};
    answer: Me;
  };
  /** Set the language of your pages and e-mails. The language of API responses follows `Accept-Language`. */
  me_change: {
    args: { body?: PatchedMeInputRequest };
    answer: Me;
  };
  /**
   * End the meeting: entrants with empty seats are dropped, the others are checked in if check-in is open.
   *
   * Returns the seats that are left. For the desk.
   */
  meeting_hold: {
    args: { path: { event_id: string }; body?: MeetingInputRequest };
    answer: Chair[];
  };
  /** The seats by name, with who still owes a decklist. For staff. */
  meeting_read: {
    args: { path: { event_id: string }; query?: { limit?: number; offset?: number } };
    answer: ChairPage;
  };
  /** The kinds of notifications sent to your e-mail address and to your devices. */
  notices: {
    args: {};
    answer: Notices;
  };
  /** Receive e-mails of exactly these kinds, and notifications on your devices of the kinds in `push`. */
  notices_choose: {
    args: { body?: NoticesInputRequest };
    answer: Notices;
  };
  /** Delete a catalogue of your own, as long as no event uses it. */
  own_catalogues_delete: {
    args: { path: { id: number } };
    answer: null;
  };
  /** Your own catalogues, by name, newest version first. */
  own_catalogues_list: {
    args: {};
    answer: OwnCatalogue[];
  };
  /** A catalogue of your own, of the operator, or used by an event whose staff you belong to. */
  own_catalogues_read: {
    args: { path: { id: number } };
    answer: CatalogueDetail;
  };
  /** Switch the public profile off: its text is deleted, and it loses its followers. Idempotent. */
  own_profile_hide: {
    args: { path: { person_id: string } };
    answer: null;
  };
  /** Whether somebody you act for has a public profile, and what it says. */
  own_profile_read: {
    args: { path: { person_id: string } };
    answer: OwnProfile;
  };
  /** Switch the public profile on, or change it. */
  own_profile_show: {
    args: { path: { person_id: string }; body?: OwnProfileInputRequest };
    answer: OwnProfile;
  };
  /**
   * Submit a score pad. It becomes a log, which is audited; the same pad again returns the stored log.
   *
   * For the players and the judges of the match.
   */
  pads_submit: {
    args: { path: { match_id: string; number: number }; body: PadInputRequest };
    answer: Log;
  };
  /** Request a PDF, in the requested language. For staff; decklists only for those who may read them. */
  papers_ask: {
    args: { path: { event_id: string }; body: PaperInputRequest };
    answer: Paper;
  };
  /** The PDF; 404 until it is ready. For staff. */
  papers_file: {
    args: { path: { paper_id: string } };
    answer: Binary;
  };
  /** The progress of a PDF. For staff. */
  papers_read: {
    args: { path: { paper_id: string } };
    answer: Paper;
  };
  /** Cancel your open payment. If you pay it at that very moment, it counts. */
  payments_cancel: {
    args: { path: { payment_id: string } };
    answer: null;
  };
  /** The payments of the event, newest first. For the desk. */
  payments_list: {
    args: { path: { event_id: string }; query?: { limit?: number; offset?: number; status?: "waiting" | "confirmed" | "rejected" | "refunded" | "error" | "cancelled" } };
    answer: PaymentPage;
  };
  /** Note that an entrant paid a price at the desk, and settle the entry. For the desk. */
  payments_note: {
    args: { path: { entrant_id: string }; body?: PayInputRequest };
    answer: Payment;
  };
  /** A payment and its refunds. For the entrant and the desk. */
  payments_read: {
    args: { path: { payment_id: string } };
    answer: Payment;
  };
  /** Give back a payment, whole or in part. The provider's message ends the refund. For organizers and owners. */
  payments_refund: {
    args: { path: { payment_id: string }; body: RefundInputRequest };
    answer: Refund;
  };
  /**
   * Begin to pay for your entry. The provider's page is opened a moment later: read the payment for its address.
   *
   * What settles the entry is the provider's message. Asking again in the same way gives the same payment.
   */
  payments_start: {
    args: { path: { entrant_id: string }; body?: StartPaymentInputRequest };
    answer: Payment;
  };
  /** The penalties of an event, newest first. For judges. */
  penalties_list: {
    args: { path: { event_id: string }; query?: { entrant?: string; limit?: number; offset?: number } };
    answer: PenaltyPage;
  };
  /** Withdraw a penalty and what it cost. For the judge who gave it, or a head judge. */
  penalties_withdraw: {
    args: { path: { penalty_id: string } };
    answer: null;
  };
  /** Correct the names of a person you act for. */
  persons_change: {
    args: { path: { person_id: string }; body: PersonInputRequest };
    answer: Person;
  };
  /** Add somebody without an account, such as a child, whom you register and for whom you report results. */
  persons_create: {
    args: { body: PersonInputRequest };
    answer: Person;
  };
  /** Erase the names of a person permanently; results stay. Not for yourself: erase your account instead. */
  persons_erase: {
    args: { path: { person_id: string } };
    answer: null;
  };
  /** The people you act for: yourself first, then those you added. */
  persons_list: {
    args: {};
    answer: Person[];
  };
  /** The photo, a JPEG without metadata; 404 once it has been deleted. For judges who do not play the event. */
  photos_read: {
    args: { path: { photo_id: string } };
    answer: Binary;
  };
  /** The matches of two players who both have a public profile. */
  players_against: {
    args: { path: { other: string; who: string } };
    answer: HeadToHead;
  };
  /** Follow a player with a public profile. Idempotent. */
  players_follow: {
    args: { path: { who: string } };
    answer: null;
  };
  /** The events the player has played, newest first, as far as each event shows them to everybody. */
  players_history: {
    args: { path: { who: string }; query?: { limit?: number; offset?: number } };
    answer: PlayedEventPage;
  };
  /** The public profile of a player, named by id or by `@` and the short name. 404 unless it is switched on. */
  players_read: {
    args: { path: { who: string } };
    answer: Profile;
  };
  /** Stop following a player. Idempotent. */
  players_stop_following: {
    args: { path: { who: string } };
    answer: null;
  };
  /** The entrants who have registered a pool, without its cards, and who can see the pools. For staff. */
  pools_list: {
    args: { path: { event_id: string } };
    answer: Pools;
  };
  /**
   * The newest version of the pool.
   *
   * For the entrant, for staff who may read decklists and do not play, and for everybody once the event shows its
   * pools.
   */
  pools_read: {
    args: { path: { entrant_id: string } };
    answer: Pool;
  };
  /** Register a version of the pool. For the entrant (scope `play`), or the desk (scope `organize`). */
  pools_register: {
    args: { path: { entrant_id: string }; body: DecklistInputRequest };
    answer: Pool;
  };
  /** Choose who can see the pools. For organizers and owners. */
  pools_show: {
    args: { path: { event_id: string }; body: PoolsInputRequest };
    answer: Pools;
  };
  /**
   * Save a board, with the move that is asked about. For judges who do not play the event.
   *
   * The same board, question and photos are saved once.
   */
  positions_keep: {
    args: { path: { match_id: string }; body: PositionInputRequest };
    answer: KeptPosition;
  };
  /** The saved boards of a match, newest first. For judges who do not play the event. */
  positions_list: {
    args: { path: { match_id: string }; query?: { limit?: number; offset?: number } };
    answer: KeptPositionPage;
  };
  /**
   * Add a photo: the body is the file, JPEG, PNG or WebP, at most 8 MiB. For judges who do not play the event.
   *
   * 409 once somebody has signed.
   */
  positions_photo: {
    args: { path: { position_id: string }; body: Binary };
    answer: Photo;
  };
  /**
   * A saved board as a picture, a PNG, without its photos.
   *
   * Players of the match see it from their own seat; judges who do not play the event see all of it.
   */
  positions_picture: {
    args: { path: { position_id: string } };
    answer: Binary;
  };
  /**
   * A saved board with its signatures.
   *
   * Players of the match see it from their own seat; judges who do not play the event see all of it, with its photos.
   */
  positions_read: {
    args: { path: { position_id: string } };
    answer: KeptPositionDetail;
  };
  /**
   * Agree to the board with this digest, or contest it.
   *
   * Players of the match sign for their own seat. Judges who do not play the event give the `seat` whose player signs
   * on their device.
   */
  positions_sign: {
    args: { path: { position_id: string }; body: SignatureInputRequest };
    answer: Signature;
  };
  /** The presets that events can be created from. Public. */
  presets_list: {
    args: {};
    answer: Preset[];
  };
  /** Offer a price, in the currency of the event's entry fee. For organizers and owners. */
  prices_add: {
    args: { path: { event_id: string }; body: PriceInputRequest };
    answer: Price;
  };
  /** The prices of the event; if there are none, the entry fee in the procedures applies. Public. */
  prices_list: {
    args: { path: { event_id: string } };
    answer: Price[];
  };
  /** Stop offering a price. Payments that have been started can still be finished. For organizers and owners. */
  prices_remove: {
    args: { path: { price_id: string } };
    answer: null;
  };
  /** Add a prize category at the end. For organizers and owners. */
  prize_categories_add: {
    args: { path: { event_id: string }; body: CategoryInputRequest };
    answer: Category;
  };
  /** Change the name of a category, or the entrants picked for it. For organizers and owners. */
  prize_categories_change: {
    args: { path: { event_id: string; number: number }; body?: CategoryChangeInputRequest };
    answer: Category;
  };
  /** The prize categories in the order in which they are given. For staff; everybody can see the winners. */
  prize_categories_list: {
    args: { path: { event_id: string } };
    answer: Category[];
  };
  /** Move a category one place up or down. For organizers and owners. */
  prize_categories_move: {
    args: { path: { event_id: string; number: number }; body: CategoryMoveInputRequest };
    answer: Category[];
  };
  /** Remove a category. For organizers and owners. */
  prize_categories_remove: {
    args: { path: { event_id: string; number: number } };
    answer: null;
  };
  /** Mark the prize of a category as handed out to one of its winners, or undo that. For the desk. */
  prize_categories_tick: {
    args: { path: { entrant_id: string; event_id: string; number: number }; body: PrizeInputRequest };
    answer: null;
  };
  /** The prizes by the newest standings, what remains, and what was handed out. For staff. */
  prizes_read: {
    args: { path: { event_id: string } };
    answer: PrizeDesk;
  };
  /** Mark the prize as handed out, or undo that. For the desk. */
  prizes_tick: {
    args: { path: { entrant_id: string }; body: PrizeInputRequest };
    answer: null;
  };
  /**
   * Change the sections and fields that are named; all others stay. For organizers and owners.
   *
   * Each section can be changed until it is too late for it.
   */
  procedures_change: {
    args: { path: { event_id: string }; body?: { [name: string]: unknown } };
    answer: { [name: string]: unknown };
  };
  /** All procedures, section by section. Public. */
  procedures_read: {
    args: { path: { event_id: string } };
    answer: { [name: string]: unknown };
  };
  /**
   * Replace all procedures: every section and field is needed. For organizers and owners.
   *
   * Each section can be changed until it is too late for it.
   */
  procedures_replace: {
    args: { path: { event_id: string }; body?: { [name: string]: unknown } };
    answer: { [name: string]: unknown };
  };
  /**
   * Enter the first players of this event into another one. For organizers and owners of both events.
   *
   * Asking again enters nobody twice: those who were entered keep their places.
   */
  qualification_enter: {
    args: { path: { event_id: string }; body: QualifyInputRequest };
    answer: Qualified;
  };
  /** The players who would enter the event `into`, best first. For organizers and owners of both events. */
  qualification_read: {
    args: { path: { event_id: string }; query: { first: number; into: string; limit?: number; offset?: number; skip_dropped?: boolean } };
    answer: CandidatePage;
  };
  /** Add a question at the end. For organizers and owners. */
  questions_add: {
    args: { path: { event_id: string }; body: EventQuestionInputRequest };
    answer: EventQuestion;
  };
  /** Change a question; fields left out stay. For organizers and owners. */
  questions_change: {
    args: { path: { event_id: string; number: number }; body?: EventQuestionChangeInputRequest };
    answer: EventQuestion;
  };
  /** The questions in the order in which they are asked. Public. */
  questions_list: {
    args: { path: { event_id: string } };
    answer: EventQuestion[];
  };
  /** Move a question one place up or down. For organizers and owners. */
  questions_move: {
    args: { path: { event_id: string; number: number }; body: MoveInputRequest };
    answer: EventQuestion[];
  };
  /** Stop asking a question; its answers are kept. For organizers and owners. */
  questions_remove: {
    args: { path: { event_id: string; number: number } };
    answer: null;
  };
  /** End the recording: its log is stored for the game and audited. Idempotent. */
  recordings_hand_in: {
    args: { path: { recording_id: string } };
    answer: Log;
  };
  /**
   * Enter a move. The same `key` again returns the recorded entry.
   *
   * 409 `sequence_moved` if another move has this number; 422 `move_refused` with every reason if the rules refuse it.
   */
  recordings_move: {
    args: { path: { recording_id: string }; body: RecordedEntryInputRequest };
    answer: RecordedEntry;
  };
  /**
   * Start recording a game, or continue the open recording.
   *
   * For its players, and judges and scribes who do not play the event.
   */
  recordings_open: {
    args: { path: { match_id: string; number: number } };
    answer: Recording;
  };
  /** The board, the moves that are legal now, and the number of entries. Players see only their own cards. */
  recordings_read: {
    args: { path: { recording_id: string } };
    answer: Recording;
  };
  /** Allow the other player to record for your seat too. For players. */
  recordings_share: {
    args: { path: { recording_id: string } };
    answer: Recording;
  };
  /**
   * The tables of the current round whose games you may record: all of them, or the one that a scribe was given.
   *
   * For scribes and judges who do not play the event.
   */
  recordings_tables: {
    args: { path: { event_id: string } };
    answer: TableToRecord[];
  };
  /**
   * Reopen a recording that was handed in. Its log is withdrawn with the audit; the entries stay. Idempotent.
   *
   * 409 once a judge has ruled on the match, while one looks into it, and if the game has a newer log or recording.
   */
  recordings_take_back: {
    args: { path: { recording_id: string } };
    answer: Recording;
  };
  /** Ask to undo the last move, or agree to it. Those who record for all undo it at once. */
  recordings_undo: {
    args: { path: { recording_id: string }; body: SequenceInputRequest };
    answer: Recording;
  };
  /** Change the registration settings; fields left out stay. For organizers and owners. */
  registration_choose: {
    args: { path: { event_id: string }; body?: RegistrationInputRequest };
    answer: EventDetail;
  };
  /** Open an event by its join link; if it is private, you can see it from then on. For any account. */
  registration_join: {
    args: { path: { event_id: string }; body: SecretInputRequest };
    answer: EventDetail;
  };
  /** The version and the licence, and where to go from here. Public. */
  root_read: {
    args: {};
    answer: Root;
  };
  /** Give the bye of a draft to an entrant. For the desk, except those who play. */
  rounds_bye: {
    args: { path: { event_id: string; number: number }; body: ByeInputRequest };
    answer: RoundDetail;
  };
  /** Close a round once every result counts. For the desk. */
  rounds_close: {
    args: { path: { event_id: string; number: number } };
    answer: RoundDetail;
  };
  /** Discard a draft. For the desk. */
  rounds_discard: {
    args: { path: { event_id: string; number: number } };
    answer: null;
  };
  /** Preview a `swap`, a `seat` or a `bye`: changes and cost. For the desk, except those who play. */
  rounds_hand: {
    args: { path: { event_id: string; number: number }; query: { first: string; gesture: "swap" | "seat" | "bye"; second?: string } };
    answer: Tried;
  };
  /**
   * Everything that `python -m tournaments.swiss verify` reads to pair the round again. For the desk.
   *
   * The inputs of a draft are not shown to staff who play the event: they would give away the pairings.
   */
  rounds_inputs: {
    args: { path: { event_id: string; number: number } };
    answer: { [name: string]: unknown };
  };
  /** The rounds you may see, in order. A draft is for staff, and reduced for those who play the event. */
  rounds_list: {
    args: { path: { event_id: string } };
    answer: Round[];
  };
  /** Apply one of the ways to repair a round. For the desk, except those who play. */
  rounds_mend: {
    args: { path: { event_id: string; number: number }; body: MendInputRequest };
    answer: RoundDetail;
  };
  /**
   * Close this round, pair and publish the next, and schedule its clock. For the desk.
   *
   * Returns the new round. If a step is refused, nothing changes.
   */
  rounds_next: {
    args: { path: { event_id: string; number: number }; body?: FollowInputRequest };
    answer: RoundDetail;
  };
  /**
   * Pair the next round, as a draft. For the desk.
   *
   * If a draft was discarded by somebody who does not play, the new one gets another seed. A round in which nobody
   * meets is refused (`nobody_meets`) until it is sent with `acknowledged`.
   */
  rounds_pair: {
    args: { path: { event_id: string }; body?: PairInputRequest };
    answer: RoundDetail;
  };
  /** Publish a draft. For the desk. `unpublish` undoes this until something happens in the round. */
  rounds_publish: {
    args: { path: { event_id: string; number: number } };
    answer: RoundDetail;
  };
  /** A round with its matches, or a part of them. A draft is for staff; those who play do not get its tables. */
  rounds_read: {
    args: { path: { event_id: string; number: number }; query?: { limit?: number; offset?: number } };
    answer: RoundDetail;
  };
  /** Reopen a closed round, as long as nothing follows it. For the desk. */
  rounds_reopen: {
    args: { path: { event_id: string; number: number } };
    answer: RoundDetail;
  };
  /** Pair two entrants of a draft with each other. For the desk, except those who play. */
  rounds_seat: {
    args: { path: { event_id: string; number: number }; body: SwapInputRequest };
    answer: RoundDetail;
  };
  /**
   * Enter the slip of a table, with the seats that drop. For the desk, except for their own matches.
   *
   * The same slip again changes nothing.
   */
  rounds_slip: {
    args: { path: { event_id: string; number: number }; body: SlipInputRequest };
    answer: MatchDetail;
  };
  /**
   * Let two entrants of a draft swap seats, or of a published round before its clock starts.
   *
   * For the desk, except those who play.
   */
  rounds_swap: {
    args: { path: { event_id: string; number: number }; body: SwapInputRequest };
    answer: RoundDetail;
  };
  /** Undo the last manual change to a draft, and restore its proof. For the desk, except those who play. */
  rounds_undo_hand: {
    args: { path: { event_id: string; number: number } };
    answer: RoundDetail;
  };
  /** Take this round back within 60 seconds of `next`. Returns the previous round, open again. For the desk. */
  rounds_undo_next: {
    args: { path: { event_id: string; number: number } };
    answer: RoundDetail;
  };
  /** Turn a published round back into a draft, as long as nothing has happened in it. For the desk. */
  rounds_unpublish: {
    args: { path: { event_id: string; number: number } };
    answer: RoundDetail;
  };
  /**
   * The ways to repair a Swiss round, based on what the event knows now. For the desk, except those who play.
   *
   * Those that disturb the fewest tables come first.
   */
  rounds_ways: {
    args: { path: { event_id: string; number: number } };
    answer: Way[];
  };
  /** Choose another ruleset, before a game is recorded. For organizers and owners. */
  ruleset_choose: {
    args: { path: { event_id: string }; body: RulesetInputRequest };
    answer: Ruleset;
  };
  /** The ruleset that games are played by, and those you can choose. For organizers and owners. */
  ruleset_read: {
    args: { path: { event_id: string } };
    answer: Ruleset;
  };
  /** Order the standings by another scheme or list of tiebreaks. For organizers and owners. */
  scheme_choose: {
    args: { path: { event_id: string }; body?: SchemeInputRequest };
    answer: Scheme;
  };
  /** The scheme of the current stage. For anybody who may see the event. */
  scheme_read: {
    args: { path: { event_id: string } };
    answer: Scheme;
  };
  /** Choose them, until the event is over or a later stage has started. For organizers and owners. */
  scoring_choose: {
    args: { path: { event_id: string }; body?: ScoringInputRequest };
    answer: Scoring;
  };
  /** The points for a win, a draw and a loss, and the floor of percentages. For anybody who may see the event. */
  scoring_read: {
    args: { path: { event_id: string } };
    answer: Scoring;
  };
  /** The entrants who have a seed, best first. For staff. */
  seeds_read: {
    args: { path: { event_id: string } };
    answer: Seeds;
  };
  /** Remove all seeds. Idempotent. For organizers and owners. */
  seeds_remove: {
    args: { path: { event_id: string } };
    answer: null;
  };
  /** Set the seeds by the current ratings of one of your leagues. For organizers and owners. */
  seeds_take: {
    args: { path: { event_id: string }; body: SeedsInputRequest };
    answer: Seeds;
  };
  /** Replace the sites that may embed the event. For organizers and owners. */
  sites_choose: {
    args: { path: { event_id: string }; body: SitesInputRequest };
    answer: Sites;
  };
  /** The sites that may embed the event. For organizers and owners. */
  sites_read: {
    args: { path: { event_id: string } };
    answer: Sites;
  };
  /** Grant a role to the account with this e-mail address. For owners. */
  staff_grant: {
    args: { path: { event_id: string }; body: StaffInputRequest };
    answer: Staff;
  };
  /** Make another account the owner in your place. For owners. */
  staff_hand_over: {
    args: { path: { event_id: string }; body: HandOverInputRequest };
    answer: Staff;
  };
  /** The roles at the event and who holds them. For staff. */
  staff_list: {
    args: { path: { event_id: string } };
    answer: Staff[];
  };
  /** Revoke a role; the last owner cannot be removed. For owners. */
  staff_revoke: {
    args: { path: { account: string; event_id: string; role: string } };
    answer: null;
  };
  /** Add a stage at the end. For organizers and owners. */
  stages_add: {
    args: { path: { event_id: string }; body: StageInputRequest };
    answer: StageDetail;
  };
  /** Change a stage that has not started. For organizers and owners. */
  stages_change: {
    args: { path: { event_id: string; number: number }; body?: PatchedStageChangeInputRequest };
    answer: StageDetail;
  };
  /** The stages, in order. Public. */
  stages_list: {
    args: { path: { event_id: string } };
    answer: Stage[];
  };
  /** Change options, for rounds that have not been paired yet. For organizers and owners. */
  stages_pairing_change: {
    args: { path: { event_id: string; number: number }; body?: PatchedStagePairingInputRequest };
    answer: StagePairing;
  };
  /** The options, and how many rounds are proposed and why. For anybody who may see the event. */
  stages_pairing_read: {
    args: { path: { event_id: string; number: number } };
    answer: StagePairing;
  };
  /** A stage with its entrants by seed, their seats in draft pods, and the nodes of its bracket. Public. */
  stages_read: {
    args: { path: { event_id: string; number: number } };
    answer: StageDetail;
  };
  /** Remove the last planned stage. For organizers and owners. */
  stages_remove: {
    args: { path: { event_id: string; number: number } };
    answer: null;
  };
  /** Start the next stage with the entrants who advance and have not `declined`. For organizers and owners. */
  stages_start: {
    args: { path: { event_id: string }; body?: StageStartInputRequest };
    answer: StageDetail;
  };
  /** Choose the tables, for rounds that have not been paired yet. For the desk. */
  stages_tables_choose: {
    args: { path: { event_id: string; number: number }; body: StageTablesInputRequest };
    answer: StageTables;
  };
  /** The tables, and other events by the same staff that use some of them that day. For the desk. */
  stages_tables_read: {
    args: { path: { event_id: string; number: number } };
    answer: StageTables;
  };
  /** Undo the start of a stage, as long as none of its rounds is paired. For organizers and owners. */
  stages_undo: {
    args: { path: { event_id: string } };
    answer: null;
  };
  /**
   * The score of each member of a team at each board, in the closed rounds of the current stage or another one.
   *
   * Empty unless teams play the event by boards.
   */
  standings_boards: {
    args: { path: { event_id: string }; query?: { stage?: number } };
    answer: BoardRow[];
  };
  /** The entrants whose rank or points the newest results changed, and who crossed the cut line. */
  standings_changes: {
    args: { path: { event_id: string }; query?: { cut?: number; limit?: number; offset?: number; since?: number; stage?: number } };
    answer: Changes;
  };
  /** The newest standings of the current stage, or of another one; all rows, or a part of them. */
  standings_read: {
    args: { path: { event_id: string }; query?: { limit?: number; offset?: number; stage?: number } };
    answer: Standings;
  };
  /**
   * The current stage, or another one, in TRF, with the ranks by the current results and the planned rounds.
   *
   * For the desk, with the byes awarded for the next round and the forbidden pairs.
   */
  standings_trf: {
    args: { path: { event_id: string }; query?: { players?: boolean; stage?: number } };
    answer: string;
  };
  /** Why an entrant has its rank: every figure with its terms, and what separates it from its neighbors. */
  standings_why: {
    args: { path: { entrant_id: string; event_id: string }; query?: { stage?: number } };
    answer: Why;
  };
  /** Whether your name is kept off big screens and out of public exports. */
  stream: {
    args: {};
    answer: Stream;
  };
  /** Keep your name off big screens and out of public exports, or allow it there. */
  stream_choose: {
    args: { body: StreamInputRequest };
    answer: Stream;
  };
  /** Make another member the captain, which replaces the link of the team. For the captain, and the desk. */
  teams_captain: {
    args: { path: { entrant_id: string }; body: CaptainInputRequest };
    answer: Team;
  };
  /** Register a team as its captain, or with `players` enter one at the desk. */
  teams_create: {
    args: { path: { event_id: string }; body: TeamInputRequest };
    answer: Team;
  };
  /**
   * Join a team with the signature of its link, or with a `name` add somebody at the desk.
   *
   * The first free board is theirs; if there is none, they are a substitute.
   */
  teams_join: {
    args: { path: { entrant_id: string }; body?: TeamMemberInputRequest };
    answer: Team;
  };
  /** Take somebody out of a team before the start. For themselves, the captain, and the desk. Idempotent. */
  teams_leave: {
    args: { path: { entrant_id: string; person_id: string } };
    answer: Team;
  };
  /**
   * Choose who sits at which board. For the captain, and the desk.
   *
   * After the start only substitutes come in, between rounds; members who play on keep their boards.
   */
  teams_lineup: {
    args: { path: { entrant_id: string }; body: LineupInputRequest };
    answer: Team;
  };
  /** The link with which others join a team. For its captain, and the desk. */
  teams_link: {
    args: { path: { entrant_id: string } };
    answer: TeamLink;
  };
  /** The teams in the order they entered. Public. */
  teams_list: {
    args: { path: { event_id: string }; query?: { limit?: number; offset?: number } };
    answer: TeamPage;
  };
  /** One team. Public; the captain and the desk see whose decklist is missing. */
  teams_read: {
    args: { path: { entrant_id: string } };
    answer: Team;
  };
  /** Change the name of a team. For its captain, and the desk. */
  teams_rename: {
    args: { path: { entrant_id: string }; body: TeamNameInputRequest };
    answer: Team;
  };
  /**
   * Choose how teams play, until somebody has entered. For organizers and owners.
   *
   * With `team_size` 1, everybody plays alone. `team_play` is `together` for one result a team, or `boards`.
   */
  teams_settings: {
    args: { path: { event_id: string }; body?: TeamSettingsInputRequest };
    answer: EventDetail;
  };
  /** Create a token. Its secret is only in this response. */
  tokens_create: {
    args: { body: TokenInputRequest };
    answer: NewToken;
  };
  /** Your tokens, newest first, without their secrets. */
  tokens_list: {
    args: {};
    answer: Token[];
  };
  /** Revoke a token. Idempotent. */
  tokens_revoke: {
    args: { path: { token_id: number } };
    answer: null;
  };
  /** Discard a file that has not been used. */
  transfers_discard: {
    args: { path: { transfer_id: string } };
    answer: null;
  };
  /** Pass the players to the import of entrants of an event; nobody is entered until that is confirmed. */
  transfers_enter: {
    args: { path: { transfer_id: string }; body: TransferEntrantsInputRequest };
    answer: Import;
  };
  /** Your files that wait for a decision, newest first. */
  transfers_list: {
    args: {};
    answer: Transfer[];
  };
  /** Have a job create an event from a file: to continue it (`play_on`), or as an `archive`. Idempotent. */
  transfers_make_event: {
    args: { path: { transfer_id: string }; body: TransferEventInputRequest };
    answer: Transfer;
  };
  /** Upload a file of at most 8 MiB, to see what it is and what would be read. Nothing is created yet. */
  transfers_open: {
    args: { body: Binary };
    answer: Transfer;
  };
  /** The content of a file; later, the progress of creating its event. */
  transfers_read: {
    args: { path: { transfer_id: string } };
    answer: Transfer;
  };
  /** Have an event file verified, plain or compressed, at most 8 MiB. For any account. */
  verifications_ask: {
    args: { body: Binary };
    answer: Verification;
  };
  /** The progress of a verification, and its report. For anybody who has its id. */
  verifications_read: {
    args: { path: { verification_id: string } };
    answer: Verification;
  };
  /** Change cells of the table; the others stay. For organizers and owners. */
  visibility_choose: {
    args: { path: { event_id: string }; body?: { [name: string]: unknown } };
    answer: { [name: string]: unknown };
  };
  /** Every cell of the table, such as `decklists.opponent.cut`, with its value. Public. */
  visibility_read: {
    args: { path: { event_id: string } };
    answer: { [name: string]: unknown };
  };
  /** The board and the last moves as they were `delay` minutes ago, or after an earlier entry. Public. */
  watch: {
    args: { path: { match_id: string }; query?: { game?: number; n?: number } };
    answer: Watch;
  };
  /** Change the address or the kinds, switch the webhook off, or switch it on again and send what is waiting. */
  webhooks_change: {
    args: { path: { webhook_id: string }; body?: PatchedWebhookChangeRequest };
    answer: Webhook;
  };
  /** Create a webhook for all events that you organize, now and later. Its secret is only in this response. */
  webhooks_create: {
    args: { body: WebhookInputRequest };
    answer: NewWebhook;
  };
  /** Delete a webhook, with the messages that have not been sent. */
  webhooks_delete: {
    args: { path: { webhook_id: string } };
    answer: null;
  };
  /** Sent and pending messages of the last 30 days, newest first. */
  webhooks_deliveries: {
    args: { path: { webhook_id: string }; query?: { limit?: number; offset?: number; status?: "pending" | "delivered" | "failed" } };
    answer: DeliveryPage;
  };
  /** Your webhooks for all events that you organize. */
  webhooks_list: {
    args: {};
    answer: Webhook[];
  };
  /** A webhook of yours, or of an event that you organize. */
  webhooks_read: {
    args: { path: { webhook_id: string } };
    answer: Webhook;
  };
  /** Send a message again with the same id and a fresh set of attempts. */
  webhooks_resend: {
    args: { path: { delivery_id: string; webhook_id: string } };
    answer: Delivery;
  };
  /** Send a message of type `ping`, and return its delivery. */
  webhooks_test: {
    args: { path: { webhook_id: string } };
    answer: Delivery;
  };
  /** Create a new secret, which is only in this response. For 24 hours the old one signs messages as well. */
  webhooks_turn_secret: {
    args: { path: { webhook_id: string } };
    answer: NewWebhook;
  };
}

/** The method and the path of each operation. */
export const OPERATIONS = {
  announcements_list: ["GET", "/api/v1/events/{event_id}/announcements/"],
  announcements_make: ["POST", "/api/v1/events/{event_id}/announcements/"],
  announcements_withdraw: ["DELETE", "/api/v1/announcements/{announcement_id}/"],
  answers_change: ["PUT", "/api/v1/entrants/{entrant_id}/answers/"],
  answers_read: ["GET", "/api/v1/entrants/{entrant_id}/answers/"],
  applications_decide: ["POST", "/api/v1/events/{event_id}/applications/decide/"],
  applications_list: ["GET", "/api/v1/events/{event_id}/applications/"],
  applications_make: ["POST", "/api/v1/events/{event_id}/applications/"],
  applications_read: ["GET", "/api/v1/applications/{application_id}/"],
  applications_withdraw: ["DELETE", "/api/v1/applications/{application_id}/"],
  ask: ["POST", "/api/v1/events/{event_id}/ask/"],
  bans_add: ["POST", "/api/v1/bans/"],
  bans_lift: ["DELETE", "/api/v1/bans/{ban_id}/"],
  bans_list: ["GET", "/api/v1/bans/"],
  book_list: ["GET", "/api/v1/book/"],
  book_merge: ["POST", "/api/v1/book/{person_id}/merge/"],
  book_read: ["GET", "/api/v1/book/{person_id}/"],
  book_split: ["POST", "/api/v1/book/{person_id}/split/"],
  book_write: ["PUT", "/api/v1/book/{person_id}/"],
  bulk_audits_cancel: ["POST", "/api/v1/bulk-audits/{bulk_id}/cancel/"],
  bulk_audits_changes: ["GET", "/api/v1/bulk-audits/{bulk_id}/changes/"],
  bulk_audits_list: ["GET", "/api/v1/events/{event_id}/bulk-audits/"],
  bulk_audits_read: ["GET", "/api/v1/bulk-audits/{bulk_id}/"],
  bulk_audits_start: ["POST", "/api/v1/events/{event_id}/bulk-audits/"],
  byes_give: ["POST", "/api/v1/entrants/{entrant_id}/byes/"],
  byes_list: ["GET", "/api/v1/events/{event_id}/byes/"],
  byes_take_back: ["DELETE", "/api/v1/entrants/{entrant_id}/byes/{number}/"],
  calendar: ["GET", "/api/v1/me/calendar/"],
  calendar_make: ["POST", "/api/v1/me/calendar/"],
  calendar_stop: ["DELETE", "/api/v1/me/calendar/"],
  calls_list: ["GET", "/api/v1/events/{event_id}/calls/"],
  calls_step: ["POST", "/api/v1/calls/{call_id}/"],
  calls_withdraw: ["DELETE", "/api/v1/calls/{call_id}/"],
  card_effects_read: ["GET", "/api/v1/catalogues/{game}/{catalog}/effects/{ref}/"],
  card_effects_save: ["PUT", "/api/v1/catalogues/{game}/{catalog}/effects/{ref}/"],
  catalogue_effects_apply: ["POST", "/api/v1/catalogues/{game}/{catalog}/effects/"],
  catalogue_effects_read: ["GET", "/api/v1/catalogues/{game}/{catalog}/effects/"],
  catalogue_uploads_discard: ["DELETE", "/api/v1/catalogue-uploads/{upload_id}/"],
  catalogue_uploads_keep: ["POST", "/api/v1/catalogue-uploads/{upload_id}/keep/"],
  catalogue_uploads_open: ["POST", "/api/v1/catalogue-uploads/"],
  catalogue_uploads_read: ["GET", "/api/v1/catalogue-uploads/{upload_id}/"],
  catalogues_choose: ["PUT", "/api/v1/events/{event_id}/catalogues/"],
  catalogues_give: ["PUT", "/api/v1/catalogues/{id}/club/"],
  catalogues_list: ["GET", "/api/v1/events/{event_id}/catalogues/"],
  checks_ask: ["POST", "/api/v1/events/{event_id}/checks/"],
  checks_read: ["GET", "/api/v1/events/{event_id}/checks/"],
  clock_change: ["POST", "/api/v1/events/{event_id}/rounds/{number}/clock/"],
  clock_read: ["GET", "/api/v1/events/{event_id}/rounds/{number}/clock/"],
  clubs_add_event: ["POST", "/api/v1/clubs/{club_id}/events/"],
  clubs_change: ["PATCH", "/api/v1/clubs/{club_id}/"],
  clubs_convention: ["POST", "/api/v1/clubs/{club_id}/conventions/"],
  clubs_create: ["POST", "/api/v1/clubs/"],
  clubs_delete: ["DELETE", "/api/v1/clubs/{club_id}/"],
  clubs_delete_venue: ["DELETE", "/api/v1/clubs/{club_id}/venues/{id}/"],
  clubs_events: ["GET", "/api/v1/clubs/{club_id}/events/"],
  clubs_grant: ["POST", "/api/v1/clubs/{club_id}/roles/"],
  clubs_hand_over: ["POST", "/api/v1/clubs/{club_id}/hand-over/"],
  clubs_list: ["GET", "/api/v1/clubs/"],
  clubs_read: ["GET", "/api/v1/clubs/{club_id}/"],
  clubs_remove_event: ["DELETE", "/api/v1/clubs/{club_id}/events/{event_id}/"],
  clubs_revoke: ["DELETE", "/api/v1/clubs/{club_id}/roles/{id}/"],
  clubs_roles: ["GET", "/api/v1/clubs/{club_id}/roles/"],
  clubs_save_venue: ["POST", "/api/v1/clubs/{club_id}/venues/"],
  clubs_series: ["POST", "/api/v1/clubs/{club_id}/series/"],
  codes_add: ["POST", "/api/v1/events/{event_id}/codes/"],
  codes_list: ["GET", "/api/v1/events/{event_id}/codes/"],
  codes_remove: ["DELETE", "/api/v1/codes/{code_id}/"],
  consent_note: ["PUT", "/api/v1/entrants/{entrant_id}/consent/"],
  contact_choose: ["PUT", "/api/v1/events/{event_id}/contact/"],
  conventions_add_event: ["POST", "/api/v1/conventions/{convention_id}/events/"],
  conventions_change: ["PATCH", "/api/v1/conventions/{convention_id}/"],
  conventions_delete: ["DELETE", "/api/v1/conventions/{convention_id}/"],
  conventions_read: ["GET", "/api/v1/conventions/{convention_id}/"],
  conventions_remove_event: ["DELETE", "/api/v1/conventions/{convention_id}/events/{event_id}/"],
  conventions_tables: ["POST", "/api/v1/conventions/{convention_id}/tables/"],
  deck_checks_finish: ["POST", "/api/v1/deck-checks/{check_id}/"],
  deck_checks_list: ["GET", "/api/v1/events/{event_id}/rounds/{number}/deck-checks/"],
  deck_checks_open: ["POST", "/api/v1/events/{event_id}/rounds/{number}/deck-checks/"],
  deck_checks_read: ["GET", "/api/v1/deck-checks/{check_id}/"],
  deck_format_choose: ["PUT", "/api/v1/events/{event_id}/deck-format/"],
  deck_format_read: ["GET", "/api/v1/events/{event_id}/deck-format/"],
  decklists_read: ["GET", "/api/v1/entrants/{entrant_id}/decklist/"],
  decklists_submit: ["PUT", "/api/v1/entrants/{entrant_id}/decklist/"],
  devices_add: ["POST", "/api/v1/me/devices/"],
  devices_list: ["GET", "/api/v1/me/devices/"],
  devices_remove: ["DELETE", "/api/v1/me/devices/{device_id}/"],
  devices_test: ["POST", "/api/v1/me/devices/{device_id}/test/"],
  difference: ["POST", "/api/v1/events/{event_id}/difference/"],
  disputes_list: ["GET", "/api/v1/events/{event_id}/disputes/"],
  draft_change: ["POST", "/api/v1/events/{event_id}/stages/{number}/draft/"],
  draft_read: ["GET", "/api/v1/events/{event_id}/stages/{number}/draft/"],
  effect_words_read: ["GET", "/api/v1/effect-words/{game}/"],
  effects_read: ["POST", "/api/v1/effect-words/{game}/read/"],
  entrants_check_in: ["POST", "/api/v1/entrants/{entrant_id}/check-in/"],
  entrants_claim: ["POST", "/api/v1/entrants/{entrant_id}/claim/"],
  entrants_claim_link: ["GET", "/api/v1/entrants/{entrant_id}/claim-link/"],
  entrants_close_list: ["DELETE", "/api/v1/entrants/{entrant_id}/reopen-list/"],
  entrants_club_penalties: ["GET", "/api/v1/entrants/{entrant_id}/club-penalties/"],
  entrants_create: ["POST", "/api/v1/events/{event_id}/entrants/"],
  entrants_disqualify: ["POST", "/api/v1/entrants/{entrant_id}/disqualify/"],
  entrants_drop: ["POST", "/api/v1/entrants/{entrant_id}/drop/"],
  entrants_entry: ["GET", "/api/v1/entrants/{entrant_id}/entry/"],
  entrants_list: ["GET", "/api/v1/events/{event_id}/entrants/"],
  entrants_merge: ["POST", "/api/v1/entrants/{entrant_id}/merge/"],
  entrants_needs_note: ["PUT", "/api/v1/entrants/{entrant_id}/needs/"],
  entrants_needs_read: ["GET", "/api/v1/entrants/{entrant_id}/needs/"],
  entrants_penalize: ["POST", "/api/v1/entrants/{entrant_id}/penalties/"],
  entrants_penalties: ["GET", "/api/v1/entrants/{entrant_id}/penalties/"],
  entrants_progress: ["GET", "/api/v1/entrants/{entrant_id}/progress/"],
  entrants_reinstate: ["POST", "/api/v1/entrants/{entrant_id}/reinstate/"],
  entrants_rename: ["PUT", "/api/v1/entrants/{entrant_id}/name/"],
  entrants_reopen_list: ["POST", "/api/v1/entrants/{entrant_id}/reopen-list/"],
  entrants_seat_link: ["GET", "/api/v1/entrants/{entrant_id}/seat-link/"],
  entrants_settle: ["PUT", "/api/v1/entrants/{entrant_id}/entry/"],
  entrants_several: ["POST", "/api/v1/events/{event_id}/entrants/several/"],
  entrants_undo_check_in: ["DELETE", "/api/v1/entrants/{entrant_id}/check-in/"],
  entry_invitations_accept: ["POST", "/api/v1/entry-invitations/{invitation_id}/accept/"],
  entry_invitations_address: ["PUT", "/api/v1/entrants/{entrant_id}/invitation/"],
  entry_invitations_list: ["GET", "/api/v1/events/{event_id}/entry-invitations/"],
  entry_invitations_send: ["POST", "/api/v1/events/{event_id}/entry-invitations/"],
  entry_invitations_withdraw: ["DELETE", "/api/v1/entrants/{entrant_id}/invitation/"],
  event_file_ask: ["POST", "/api/v1/events/{event_id}/file/"],
  events_copy: ["POST", "/api/v1/events/{event_id}/copy/"],
  events_create: ["POST", "/api/v1/events/"],
  events_details: ["PUT", "/api/v1/events/{event_id}/details/"],
  events_follow: ["PUT", "/api/v1/events/{event_id}/follow/"],
  events_join_link: ["GET", "/api/v1/events/{event_id}/join-link/"],
  events_list: ["GET", "/api/v1/events/"],
  events_overlaps: ["GET", "/api/v1/events/{event_id}/overlaps/"],
  events_read: ["GET", "/api/v1/events/{event_id}/"],
  events_renew_join_link: ["POST", "/api/v1/events/{event_id}/join-link/"],
  events_step: ["POST", "/api/v1/events/{event_id}/steps/"],
  events_stop_following: ["DELETE", "/api/v1/events/{event_id}/follow/"],
  events_webhooks: ["GET", "/api/v1/events/{event_id}/webhooks/"],
  events_webhooks_create: ["POST", "/api/v1/events/{event_id}/webhooks/"],
  exports_read: ["GET", "/api/v1/events/{event_id}/exports/{table}/"],
  feature_name: ["PUT", "/api/v1/matches/{match_id}/feature/"],
  feature_withdraw: ["DELETE", "/api/v1/matches/{match_id}/feature/"],
  features_list: ["GET", "/api/v1/events/{event_id}/features/"],
  files_download: ["GET", "/api/v1/files/{file_id}/download/"],
  files_read: ["GET", "/api/v1/files/{file_id}/"],
  final_ranking: ["GET", "/api/v1/events/{event_id}/final/"],
  follows_list: ["GET", "/api/v1/me/follows/"],
  forbidden_pairs_add: ["POST", "/api/v1/events/{event_id}/forbidden-pairs/"],
  forbidden_pairs_list: ["GET", "/api/v1/events/{event_id}/forbidden-pairs/"],
  forbidden_pairs_remove: ["DELETE", "/api/v1/events/{event_id}/forbidden-pairs/{pair}/"],
  formats_delete: ["DELETE", "/api/v1/formats/{format_id}/"],
  formats_give: ["PUT", "/api/v1/formats/{format_id}/club/"],
  formats_list: ["GET", "/api/v1/formats/"],
  formats_save: ["POST", "/api/v1/formats/"],
  head_read: ["GET", "/api/v1/events/{event_id}/head/"],
  history: ["GET", "/api/v1/me/history/"],
  imports_change: ["PATCH", "/api/v1/imports/{import_id}/"],
  imports_confirm: ["POST", "/api/v1/imports/{import_id}/confirm/"],
  imports_discard: ["DELETE", "/api/v1/imports/{import_id}/"],
  imports_open: ["POST", "/api/v1/events/{event_id}/imports/"],
  imports_read: ["GET", "/api/v1/imports/{import_id}/"],
  infractions_list: ["GET", "/api/v1/infractions/"],
  invitations_accept: ["POST", "/api/v1/invitations/{invitation_id}/accept/"],
  invitations_list: ["GET", "/api/v1/events/{event_id}/invitations/"],
  invitations_make: ["POST", "/api/v1/events/{event_id}/invitations/"],
  invitations_withdraw: ["DELETE", "/api/v1/invitations/{invitation_id}/"],
  late_seats_list: ["GET", "/api/v1/events/{event_id}/rounds/{number}/late/"],
  leagues_add_event: ["POST", "/api/v1/leagues/{league_id}/events/"],
  leagues_change: ["PATCH", "/api/v1/leagues/{league_id}/"],
  leagues_create: ["POST", "/api/v1/leagues/"],
  leagues_delete: ["DELETE", "/api/v1/leagues/{league_id}/"],
  leagues_export: ["GET", "/api/v1/leagues/{league_id}/export/"],
  leagues_list: ["GET", "/api/v1/leagues/"],
  leagues_namesakes: ["GET", "/api/v1/leagues/{league_id}/namesakes/"],
  leagues_ratings: ["GET", "/api/v1/leagues/{league_id}/ratings/"],
  leagues_read: ["GET", "/api/v1/leagues/{league_id}/"],
  leagues_remove_event: ["DELETE", "/api/v1/leagues/{league_id}/events/{event_id}/"],
  leagues_same: ["POST", "/api/v1/leagues/{league_id}/namesakes/"],
  leagues_split: ["DELETE", "/api/v1/leagues/{league_id}/namesakes/{person_id}/"],
  leagues_standings: ["GET", "/api/v1/leagues/{league_id}/standings/"],
  ledger_list: ["GET", "/api/v1/events/{event_id}/ledger/"],
  lists_read: ["POST", "/api/v1/events/{event_id}/read-list/"],
  logs_board: ["GET", "/api/v1/logs/{log_id}/board/"],
  logs_branch: ["POST", "/api/v1/logs/{log_id}/branches/"],
  logs_branches: ["GET", "/api/v1/logs/{log_id}/branches/"],
  logs_document: ["GET", "/api/v1/logs/{log_id}/document/"],
  logs_keep_merged: ["POST", "/api/v1/logs/{log_id}/merge/{other_id}/"],
  logs_legal: ["GET", "/api/v1/logs/{log_id}/legal/"],
  logs_list: ["GET", "/api/v1/matches/{match_id}/games/{number}/logs/"],
  logs_merge: ["GET", "/api/v1/logs/{log_id}/merge/{other_id}/"],
  logs_picture: ["GET", "/api/v1/logs/{log_id}/picture/"],
  logs_read: ["GET", "/api/v1/logs/{log_id}/"],
  logs_replays: ["GET", "/api/v1/matches/{match_id}/games/{number}/replays/"],
  logs_share: ["POST", "/api/v1/logs/{log_id}/share/"],
  logs_submit: ["POST", "/api/v1/matches/{match_id}/games/{number}/logs/"],
  matches_appeal: ["POST", "/api/v1/matches/{match_id}/appeal/"],
  matches_call: ["POST", "/api/v1/matches/{match_id}/calls/"],
  matches_calls: ["GET", "/api/v1/matches/{match_id}/calls/"],
  matches_claim: ["POST", "/api/v1/matches/{match_id}/claim/"],
  matches_confirm: ["POST", "/api/v1/matches/{match_id}/confirm/"],
  matches_confirm_board: ["POST", "/api/v1/matches/{match_id}/boards/{number}/confirm/"],
  matches_contest: ["POST", "/api/v1/matches/{match_id}/contest/"],
  matches_contest_board: ["POST", "/api/v1/matches/{match_id}/boards/{number}/contest/"],
  matches_disputes: ["GET", "/api/v1/matches/{match_id}/disputes/"],
  matches_extend: ["POST", "/api/v1/matches/{match_id}/extension/"],
  matches_lateness: ["POST", "/api/v1/matches/{match_id}/lateness/"],
  matches_read: ["GET", "/api/v1/matches/{match_id}/"],
  matches_report: ["POST", "/api/v1/matches/{match_id}/report/"],
  matches_report_board: ["POST", "/api/v1/matches/{match_id}/boards/{number}/report/"],
  matches_result: ["POST", "/api/v1/matches/{match_id}/result/"],
  matches_rule: ["POST", "/api/v1/matches/{match_id}/ruling/"],
  matches_start: ["POST", "/api/v1/matches/{match_id}/start/"],
  matches_turn: ["POST", "/api/v1/matches/{match_id}/turn/"],
  matches_undo: ["POST", "/api/v1/matches/{match_id}/undo/"],
  me: ["GET", "/api/v1/me/"],
  me_change: ["PATCH", "/api/v1/me/"],
  meeting_hold: ["POST", "/api/v1/events/{event_id}/meeting/"],
  meeting_read: ["GET", "/api/v1/events/{event_id}/meeting/"],
  notices: ["GET", "/api/v1/me/notices/"],
  notices_choose: ["PUT", "/api/v1/me/notices/"],
  own_catalogues_delete: ["DELETE", "/api/v1/catalogues/{id}/"],
  own_catalogues_list: ["GET", "/api/v1/catalogues/"],
  own_catalogues_read: ["GET", "/api/v1/catalogues/{id}/"],
  own_profile_hide: ["DELETE", "/api/v1/persons/{person_id}/profile/"],
  own_profile_read: ["GET", "/api/v1/persons/{person_id}/profile/"],
  own_profile_show: ["PUT", "/api/v1/persons/{person_id}/profile/"],
  pads_submit: ["POST", "/api/v1/matches/{match_id}/games/{number}/pad/"],
  papers_ask: ["POST", "/api/v1/events/{event_id}/papers/"],
  papers_file: ["GET", "/api/v1/papers/{paper_id}/file/"],
  papers_read: ["GET", "/api/v1/papers/{paper_id}/"],
  payments_cancel: ["DELETE", "/api/v1/payments/{payment_id}/"],
  payments_list: ["GET", "/api/v1/events/{event_id}/payments/"],
  payments_note: ["POST", "/api/v1/entrants/{entrant_id}/payments/desk/"],
  payments_read: ["GET", "/api/v1/payments/{payment_id}/"],
  payments_refund: ["POST", "/api/v1/payments/{payment_id}/refunds/"],
  payments_start: ["POST", "/api/v1/entrants/{entrant_id}/payments/"],
  penalties_list: ["GET", "/api/v1/events/{event_id}/penalties/"],
  penalties_withdraw: ["POST", "/api/v1/penalties/{penalty_id}/withdraw/"],
  persons_change: ["PUT", "/api/v1/persons/{person_id}/"],
  persons_create: ["POST", "/api/v1/persons/"],
  persons_erase: ["DELETE", "/api/v1/persons/{person_id}/"],
  persons_list: ["GET", "/api/v1/persons/"],
  photos_read: ["GET", "/api/v1/photos/{photo_id}/"],
  players_against: ["GET", "/api/v1/players/{who}/against/{other}/"],
  players_follow: ["PUT", "/api/v1/players/{who}/follow/"],
  players_history: ["GET", "/api/v1/players/{who}/history/"],
  players_read: ["GET", "/api/v1/players/{who}/"],
  players_stop_following: ["DELETE", "/api/v1/players/{who}/follow/"],
  pools_list: ["GET", "/api/v1/events/{event_id}/pools/"],
  pools_read: ["GET", "/api/v1/entrants/{entrant_id}/pool/"],
  pools_register: ["PUT", "/api/v1/entrants/{entrant_id}/pool/"],
  pools_show: ["PUT", "/api/v1/events/{event_id}/pools/"],
  positions_keep: ["POST", "/api/v1/matches/{match_id}/positions/"],
  positions_list: ["GET", "/api/v1/matches/{match_id}/positions/"],
  positions_photo: ["POST", "/api/v1/positions/{position_id}/photos/"],
  positions_picture: ["GET", "/api/v1/positions/{position_id}/picture/"],
  positions_read: ["GET", "/api/v1/positions/{position_id}/"],
  positions_sign: ["POST", "/api/v1/positions/{position_id}/signatures/"],
  presets_list: ["GET", "/api/v1/presets/"],
  prices_add: ["POST", "/api/v1/events/{event_id}/prices/"],
  prices_list: ["GET", "/api/v1/events/{event_id}/prices/"],
  prices_remove: ["DELETE", "/api/v1/prices/{price_id}/"],
  prize_categories_add: ["POST", "/api/v1/events/{event_id}/prize-categories/"],
  prize_categories_change: ["PUT", "/api/v1/events/{event_id}/prize-categories/{number}/"],
  prize_categories_list: ["GET", "/api/v1/events/{event_id}/prize-categories/"],
  prize_categories_move: ["POST", "/api/v1/events/{event_id}/prize-categories/{number}/move/"],
  prize_categories_remove: ["DELETE", "/api/v1/events/{event_id}/prize-categories/{number}/"],
  prize_categories_tick: ["PUT", "/api/v1/events/{event_id}/prize-categories/{number}/prizes/{entrant_id}/"],
  prizes_read: ["GET", "/api/v1/events/{event_id}/prizes/"],
  prizes_tick: ["PUT", "/api/v1/entrants/{entrant_id}/prize/"],
  procedures_change: ["PATCH", "/api/v1/events/{event_id}/procedures/"],
  procedures_read: ["GET", "/api/v1/events/{event_id}/procedures/"],
  procedures_replace: ["PUT", "/api/v1/events/{event_id}/procedures/"],
  qualification_enter: ["POST", "/api/v1/events/{event_id}/qualification/"],
  qualification_read: ["GET", "/api/v1/events/{event_id}/qualification/"],
  questions_add: ["POST", "/api/v1/events/{event_id}/questions/"],
  questions_change: ["PUT", "/api/v1/events/{event_id}/questions/{number}/"],
  questions_list: ["GET", "/api/v1/events/{event_id}/questions/"],
  questions_move: ["POST", "/api/v1/events/{event_id}/questions/{number}/move/"],
  questions_remove: ["DELETE", "/api/v1/events/{event_id}/questions/{number}/"],
  recordings_hand_in: ["POST", "/api/v1/recordings/{recording_id}/hand-in/"],
  recordings_move: ["POST", "/api/v1/recordings/{recording_id}/moves/"],
  recordings_open: ["POST", "/api/v1/matches/{match_id}/games/{number}/recordings/"],
  recordings_read: ["GET", "/api/v1/recordings/{recording_id}/"],
  recordings_share: ["POST", "/api/v1/recordings/{recording_id}/share/"],
  recordings_tables: ["GET", "/api/v1/events/{event_id}/tables-to-record/"],
  recordings_take_back: ["POST", "/api/v1/recordings/{recording_id}/take-back/"],
  recordings_undo: ["POST", "/api/v1/recordings/{recording_id}/undo/"],
  registration_choose: ["PUT", "/api/v1/events/{event_id}/registration/"],
  registration_join: ["POST", "/api/v1/events/{event_id}/join/"],
  root_read: ["GET", "/api/v1/"],
  rounds_bye: ["POST", "/api/v1/events/{event_id}/rounds/{number}/bye/"],
  rounds_close: ["POST", "/api/v1/events/{event_id}/rounds/{number}/close/"],
  rounds_discard: ["POST", "/api/v1/events/{event_id}/rounds/{number}/discard/"],
  rounds_hand: ["GET", "/api/v1/events/{event_id}/rounds/{number}/hand/"],
  rounds_inputs: ["GET", "/api/v1/events/{event_id}/rounds/{number}/inputs/"],
  rounds_list: ["GET", "/api/v1/events/{event_id}/rounds/"],
  rounds_mend: ["POST", "/api/v1/events/{event_id}/rounds/{number}/mend/"],
  rounds_next: ["POST", "/api/v1/events/{event_id}/rounds/{number}/next/"],
  rounds_pair: ["POST", "/api/v1/events/{event_id}/rounds/"],
  rounds_publish: ["POST", "/api/v1/events/{event_id}/rounds/{number}/publish/"],
  rounds_read: ["GET", "/api/v1/events/{event_id}/rounds/{number}/"],
  rounds_reopen: ["POST", "/api/v1/events/{event_id}/rounds/{number}/reopen/"],
  rounds_seat: ["POST", "/api/v1/events/{event_id}/rounds/{number}/seat/"],
  rounds_slip: ["POST", "/api/v1/events/{event_id}/rounds/{number}/slips/"],
  rounds_swap: ["POST", "/api/v1/events/{event_id}/rounds/{number}/swap/"],
  rounds_undo_hand: ["POST", "/api/v1/events/{event_id}/rounds/{number}/hand/undo/"],
  rounds_undo_next: ["POST", "/api/v1/events/{event_id}/rounds/{number}/undo-next/"],
  rounds_unpublish: ["POST", "/api/v1/events/{event_id}/rounds/{number}/unpublish/"],
  rounds_ways: ["GET", "/api/v1/events/{event_id}/rounds/{number}/mend/"],
  ruleset_choose: ["PUT", "/api/v1/events/{event_id}/ruleset/"],
  ruleset_read: ["GET", "/api/v1/events/{event_id}/ruleset/"],
  scheme_choose: ["PUT", "/api/v1/events/{event_id}/scheme/"],
  scheme_read: ["GET", "/api/v1/events/{event_id}/scheme/"],
  scoring_choose: ["PUT", "/api/v1/events/{event_id}/scoring/"],
  scoring_read: ["GET", "/api/v1/events/{event_id}/scoring/"],
  seeds_read: ["GET", "/api/v1/events/{event_id}/seeds/"],
  seeds_remove: ["DELETE", "/api/v1/events/{event_id}/seeds/"],
  seeds_take: ["PUT", "/api/v1/events/{event_id}/seeds/"],
  sites_choose: ["PUT", "/api/v1/events/{event_id}/embed-sites/"],
  sites_read: ["GET", "/api/v1/events/{event_id}/embed-sites/"],
  staff_grant: ["POST", "/api/v1/events/{event_id}/staff/"],
  staff_hand_over: ["POST", "/api/v1/events/{event_id}/hand-over/"],
  staff_list: ["GET", "/api/v1/events/{event_id}/staff/"],
  staff_revoke: ["DELETE", "/api/v1/events/{event_id}/staff/{account}/{role}/"],
  stages_add: ["POST", "/api/v1/events/{event_id}/stages/"],
  stages_change: ["PATCH", "/api/v1/events/{event_id}/stages/{number}/"],
  stages_list: ["GET", "/api/v1/events/{event_id}/stages/"],
  stages_pairing_change: ["PATCH", "/api/v1/events/{event_id}/stages/{number}/pairing/"],
  stages_pairing_read: ["GET", "/api/v1/events/{event_id}/stages/{number}/pairing/"],
  stages_read: ["GET", "/api/v1/events/{event_id}/stages/{number}/"],
  stages_remove: ["DELETE", "/api/v1/events/{event_id}/stages/{number}/"],
  stages_start: ["POST", "/api/v1/events/{event_id}/stages/start/"],
  stages_tables_choose: ["PUT", "/api/v1/events/{event_id}/stages/{number}/tables/"],
  stages_tables_read: ["GET", "/api/v1/events/{event_id}/stages/{number}/tables/"],
  stages_undo: ["POST", "/api/v1/events/{event_id}/stages/undo/"],
  standings_boards: ["GET", "/api/v1/events/{event_id}/standings/boards/"],
  standings_changes: ["GET", "/api/v1/events/{event_id}/standings/changes/"],
  standings_read: ["GET", "/api/v1/events/{event_id}/standings/"],
  standings_trf: ["GET", "/api/v1/events/{event_id}/standings/trf/"],
  standings_why: ["GET", "/api/v1/events/{event_id}/standings/{entrant_id}/"],
  stream: ["GET", "/api/v1/me/stream/"],
  stream_choose: ["PUT", "/api/v1/me/stream/"],
  teams_captain: ["PUT", "/api/v1/entrants/{entrant_id}/team/captain/"],
  teams_create: ["POST", "/api/v1/events/{event_id}/teams/"],
  teams_join: ["POST", "/api/v1/entrants/{entrant_id}/team/members/"],
  teams_leave: ["DELETE", "/api/v1/entrants/{entrant_id}/team/members/{person_id}/"],
  teams_lineup: ["PUT", "/api/v1/entrants/{entrant_id}/team/lineup/"],
  teams_link: ["GET", "/api/v1/entrants/{entrant_id}/team/link/"],
  teams_list: ["GET", "/api/v1/events/{event_id}/teams/"],
  teams_read: ["GET", "/api/v1/entrants/{entrant_id}/team/"],
  teams_rename: ["PUT", "/api/v1/entrants/{entrant_id}/team/"],
  teams_settings: ["PUT", "/api/v1/events/{event_id}/teams/settings/"],
  tokens_create: ["POST", "/api/v1/tokens/"],
  tokens_list: ["GET", "/api/v1/tokens/"],
  tokens_revoke: ["DELETE", "/api/v1/tokens/{token_id}/"],
  transfers_discard: ["DELETE", "/api/v1/transfers/{transfer_id}/"],
  transfers_enter: ["POST", "/api/v1/transfers/{transfer_id}/entrants/"],
  transfers_list: ["GET", "/api/v1/transfers/"],
  transfers_make_event: ["POST", "/api/v1/transfers/{transfer_id}/event/"],
  transfers_open: ["POST", "/api/v1/transfers/"],
  transfers_read: ["GET", "/api/v1/transfers/{transfer_id}/"],
  verifications_ask: ["POST", "/api/v1/verifications/"],
  verifications_read: ["GET", "/api/v1/verifications/{verification_id}/"],
  visibility_choose: ["PATCH", "/api/v1/events/{event_id}/visibility/"],
  visibility_read: ["GET", "/api/v1/events/{event_id}/visibility/"],
  watch: ["GET", "/api/v1/matches/{match_id}/watch/"],
  webhooks_change: ["PATCH", "/api/v1/webhooks/{webhook_id}/"],
  webhooks_create: ["POST", "/api/v1/webhooks/"],
  webhooks_delete: ["DELETE", "/api/v1/webhooks/{webhook_id}/"],
  webhooks_deliveries: ["GET", "/api/v1/webhooks/{webhook_id}/deliveries/"],
  webhooks_list: ["GET", "/api/v1/webhooks/"],
  webhooks_read: ["GET", "/api/v1/webhooks/{webhook_id}/"],
  webhooks_resend: ["POST", "/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/resend/"],
  webhooks_test: ["POST", "/api/v1/webhooks/{webhook_id}/test/"],
  webhooks_turn_secret: ["POST", "/api/v1/webhooks/{webhook_id}/secret/"],
} as const;
