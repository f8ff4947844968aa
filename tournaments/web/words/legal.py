"""What the page of legal information says about personal data: purpose, legal basis, recipients, how long.

Each row describes what the software does. Whoever changes what is stored about people changes the row too.
"""

from typing import NamedTuple

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.common.mail import sends_mail

# Article 6(1) of the GDPR: b, f, a, c.
CONTRACT = gettext_lazy("Contract: you asked for this service")
INTEREST = gettext_lazy("Legitimate interest: fair events and a safe site")
CONSENT = gettext_lazy("Your consent, which you can withdraw")
LAW = gettext_lazy("Legal obligation: the books have to be kept")
OPERATOR = gettext_lazy("The operator")


class Use(NamedTuple):
    """A kind of data: what it is, its purpose, the legal basis, who receives it besides you, how long it is kept."""

    data: str
    purpose: str
    basis: str
    recipients: str
    kept: str


def uses_of_data(providers: str, image_hosts: str) -> list[Use]:
    """The rows of the table, in the current language. `providers` and `image_hosts` are empty if there are none."""
    return [*_accounts(), *_events(providers), *_messages(), *_operation(image_hosts)]


def _accounts() -> list[Use]:
    return [
        Use(
            _("Account: e-mail address or sign-in name, names, language, passwords and passkeys"),
            _("To let you sign in, enter events and be recognized there"),
            str(CONTRACT),
            _("The operator; your address also: owners of events whose staff you belong to, desks that invite you"),
            _account_kept(),
        ),
        Use(
            _("Browsers that are signed in, with their network addresses; API tokens; accounts linked at other sites"),
            _("To keep you signed in, and to let you see who is signed in with your account"),
            str(INTEREST),
            str(OPERATOR),
            _("Browsers: until they sign out, or two weeks after the last sign-in; the rest: as long as the account"),
        ),
        *_guardians(),
        Use(
            _("Public profile"),
            _("To show what you have played"),
            str(CONSENT),
            _("Everybody"),
            _("Until you switch it off"),
        ),
    ]


def _guardians() -> list[Use]:
    if not settings.GUARDIAN_UNDER:
        return []
    return [
        Use(
            _("Of a child’s account: the guardian’s e-mail address, and when they consented"),
            _("To ask for the consent and to prove it"),
            _("Legal obligation: a child’s account needs a guardian’s consent"),
            ", ".join(filter(None, [str(OPERATOR), _("the servers that carry e-mails") if sends_mail() else ""])),
            _("As long as the account; without consent 30 days"),
        )
    ]


def _events(providers: str) -> list[Use]:
    return [
        Use(
            _("Entries, pairings, results and standings"),
            _("To run the event and publish its results"),
            str(CONTRACT),
            _("Everybody, under your public name, once the event is open; under an id, programs that staff connect"),
            _("As long as the event; after an erasure without your name"),
        ),
        Use(
            _("Names of people whom the desk entered without an account, and the addresses of invitations"),
            _("To run the event and offer them their entry"),
            str(INTEREST),
            _("Everybody, under the public name; the address: the desk alone"),
            _names_kept(),
        ),
        Use(
            _("Decklists, pools, move logs and photos of tables"),
            _("To check decks and games, and to settle disputes"),
            str(CONTRACT),
            _("The staff who need them; everybody, if the event shows them"),
            _photos_kept(),
        ),
        Use(
            _("Penalties, judge calls, rulings and notes of staff"),
            _("To keep play fair"),
            str(INTEREST),
            _("The judges of the event, and the head judges of other events of its club if the club has chosen this"),
            _("As long as the event; the words of notes until they are erased"),
        ),
        Use(
            _("Player books and lists of people who may not enter"),
            _("To let organizers know their players, and keep out those they do not accept"),
            str(INTEREST),
            _("The organizer who wrote them"),
            _("Until the organizer deletes them, or your data is erased"),
        ),
        Use(
            _("Answers to questions, and who gave a guardian’s consent, when and to which sentence"),
            _("To organize the event, and to prove the consent"),
            str(CONSENT),
            _("The desk of the event"),
            _("As long as the event, or until your data is erased"),
        ),
        Use(
            _("Entry fees that were paid, and refunds"),
            _("To collect and refund entry fees"),
            f"{CONTRACT} · {LAW}",
            _("The desk of the event; %(providers)s") % {"providers": providers}
            if providers
            else _("The desk of the event"),
            _("As long as the event; after an erasure without your name"),
        ),
        Use(
            _("The ledger: every action, with ids and no names"),
            _("To prove that nothing was changed afterwards"),
            str(INTEREST),
            _("The staff of the event, and those who get its event file"),
            _("As long as the event"),
        ),
    ]


def _messages() -> list[Use]:
    by_mail = _("the servers that carry e-mails") if sends_mail() else ""
    return [
        Use(
            _("E-mails about your account, and invitations"),
            _("To confirm your address and let you back in"),
            str(CONTRACT),
            ", ".join(filter(None, [str(OPERATOR), by_mail])),
            _("That an e-mail was sent, without its text and address: 30 days"),
        ),
        Use(
            _("Notifications by e-mail and on your devices, and what you follow"),
            _("To tell you where and when you play"),
            str(CONSENT),
            ", ".join(filter(None, [str(OPERATOR), by_mail, _("the push service of your browser’s maker")])),
            _("Devices: until they sign out; what you follow: until you stop"),
        ),
    ]


def _operation(image_hosts: str) -> list[Use]:
    rows = [
        Use(
            _("Logs of the server, and counts of attempts"),
            _("To find faults and slow down abuse"),
            str(INTEREST),
            str(OPERATOR),
            _("Logs: as long as the operator keeps them; they contain no names or addresses"),
        ),
        Use(
            _("Backups"),
            _("To restore the site after a fault"),
            str(INTEREST),
            str(OPERATOR),
            _("As long as the operator keeps them; erased data is erased again when one is restored"),
        ),
    ]
    if image_hosts:
        rows.append(
            Use(
                _("The network address of your browser, when a board shows images of cards"),
                _("To load the images"),
                str(INTEREST),
                image_hosts,
                _("Not stored here"),
            )
        )
    return rows


def _account_kept() -> str:
    if not settings.ACCOUNTS_END_AFTER:
        return _("Until you erase your account")
    sentence = _("Until you erase your account, or %(days)d days after it was last used")
    return sentence % {"days": settings.ACCOUNTS_END_AFTER}


def _names_kept() -> str:
    # Whichever is first; both are counted from about the last event.
    days = min(filter(None, (settings.KEEP_NAMES_DAYS, settings.BOOK_ENTRIES_END_AFTER)), default=0)
    if not days:
        return _("Names: until they are erased; addresses: at most 30 days")
    sentence = ngettext(
        "Names: until %(days)d day after their last event; addresses: at most 30 days",
        "Names: until %(days)d days after their last event; addresses: at most 30 days",
        days,
    )
    return sentence % {"days": days}


def _photos_kept() -> str:
    days = settings.KEEP_PHOTOS_DAYS
    if not days:
        return _("As long as the event")
    sentence = ngettext(
        "As long as the event; photos: %(days)d day", "As long as the event; photos: %(days)d days", days
    )
    return sentence % {"days": days}
