"""Sheets and lists as organizers bring them, and the names in each: given and family name, with `|` between them."""

from __future__ import annotations

READ: dict[str, tuple[str | bytes, list[str]]] = {
    # Forms: their titles are questions, their first columns are not about people.
    "google_en": (
        "Timestamp,Email Address,What is your first and last name?,Pokémon Player ID,Do you need a loaner deck?\n"
        "11/28/2026 10:00:00,a@example.org,Ana Lopez,1234567,No\n"
        "11/28/2026 10:05:00,b@example.org,Bob May,2345678,Yes\n",
        ["Ana|Lopez", "Bob|May"],
    ),
    "google_fr": (
        "Horodateur,Adresse e-mail,Nom et prénom,Decklist\n28/11/2026 10:00:00,a@example.org,Ana Lopez,2 Braisillon\n",
        ["Ana|Lopez"],
    ),
    "google_fr_question": (
        '"Horodateur","Quel est votre prénom ? *","Quel est votre nom de famille ? *","J’accepte les règles"\n'
        '"28/11/2026 10:00:00","Zoé","Martin","Oui"\n',
        ["Zoé|Martin"],
    ),
    "google_de": (
        "Zeitstempel,Vor- und Nachname,E-Mail-Adresse,Verein\n28.11.2026 10:00:00,Jürgen Groß,j@example.org,Köln\n",
        ["Jürgen|Groß"],
    ),
    "google_it": (
        "Informazioni cronologiche,Cognome e nome,Indirizzo email\n28/11/2026 10.00.00,Rossi Anna,a@example.org\n",
        ["Anna|Rossi"],
    ),
    "google_es": (
        "Marca temporal,Nombre y apellidos,Correo electrónico\n28/11/2026 10:00:00,Ana López,a@example.org\n",
        ["Ana|López"],
    ),
    "google_pt": (
        "Carimbo de data/hora,Nome completo,Endereço de e-mail\n28/11/2026 10:00:00,Ana Sá,a@example.org\n",
        ["Ana|Sá"],
    ),
    "google_nl": (
        "Tijdstempel,Voor- en achternaam,E-mailadres\n28-11-2026 10:00:00,Jan de Vries,j@example.org\n",
        ["Jan|de Vries"],
    ),
    "google_pl": (
        "Sygnatura czasowa,Imię i nazwisko,Adres e-mail\n28.11.2026 10:00:00,Łukasz Łazarz,l@example.org\n",
        ["Łukasz|Łazarz"],
    ),
    "microsoft_de": (
        "ID;Startzeit;Fertigstellungszeit;E-Mail;Name;Vorname;Nachname\n"
        "1;11/28/26 10:00:00;11/28/26 10:01:00;anonymous;;Käthe;Öz\n",
        ["Käthe|Öz"],
    ),
    "microsoft_fr": (
        "ID;Heure de début;Heure de fin;Adresse de messagerie;Nom;Prénom et nom du joueur\n"
        "1;28/11/2026 10:00;28/11/2026 10:01;anonymous;anonymous;Léa Dupont\n",
        ["Léa|Dupont"],
    ),
    # Spreadsheets.
    "excel_separator": ("sep=;\r\nNom;Prénom\r\nMartin;Zoé\r\nDupont;Léa\r\n", ["Zoé|Martin", "Léa|Dupont"]),
    "excel_separator_quoted": ('"sep=,"\r\nName,Vorname\r\nGroß,Jürgen\r\n', ["Jürgen|Groß"]),
    "title_above": (
        "Tournoi du 28/11/2026;;\nNom;Prénom;Club\nMartin;Zoé;Lyon\nDupont;Léa;Lyon\n",
        ["Zoé|Martin", "Léa|Dupont"],
    ),
    "titles_and_blank_rows_above": (
        "Spring Open;;;\nSaturday, main hall;;;\n;;;\nNo;Last name;First name;Club\n1;May;Bob;Foxes\n2;Gu;Eve;Owls\n",
        ["Bob|May", "Eve|Gu"],
    ),
    "two_rows_of_titles": (
        "Joueur;;Contact;\nNom;Prénom;E-mail;Tél\nMartin;Zoé;z@example.org;0612345678\n",
        ["Zoé|Martin"],
    ),
    "merged_titles": ("Name;;Club\nFirst;Last;\nAda;Lune;Foxes\n", ["Ada|Lune"]),
    "german": ("Nachname;Vorname;Verein\nGroß;Jürgen;Köln\nÖz;Käthe;Bonn\n", ["Jürgen|Groß", "Käthe|Öz"]),
    "german_name_and_vorname": ("Name;Vorname\nGroß;Jürgen\nÖz;Käthe\n", ["Jürgen|Groß", "Käthe|Öz"]),
    "german_comma": ("Name, Vorname\nGroß, Jürgen\nÖz, Käthe\n", ["Jürgen|Groß", "Käthe|Öz"]),
    "portuguese": ("Nome;Sobrenome\nAna;Sá\nAna;Luz\n", ["Ana|Sá", "Ana|Luz"]),
    "spanish_parts": ("Nombre;Apellidos\nAna;García López\nInés;de la Cruz\n", ["Ana|García López", "Inés|de la Cruz"]),
    "spanish_comma": (
        "Apellidos, Nombre\nGarcía López, Ana\nde la Cruz, Inés\n",
        ["Ana|García López", "Inés|de la Cruz"],
    ),
    "italian": ("Cognome;Nome;Squadra\nRossi;Anna;Volpi\n", ["Anna|Rossi"]),
    "dutch": ("Voornaam;Achternaam;E-mailadres\nJan;de Vries;j@example.org\n", ["Jan|de Vries"]),
    "polish": ("Nazwisko;Imię;Klub\nŁazarz;Łukasz;Lisy\n", ["Łukasz|Łazarz"]),
    "polish_excel": (
        "Nazwisko;Imię\r\nŁazarz;Łukasz\r\nŚwięty;Zoé\r\n".encode("cp1250"),
        ["Łukasz|Łazarz", "Zoé|Święty"],
    ),
    "mac": ("Nom;Prénom\rLefèvre;Zoé\rMüller;Léa\r".encode("mac_roman"), ["Zoé|Lefèvre", "Léa|Müller"]),
    "windows": ("Nom;Prénom\r\nLefèvre;Zoé\r\nMüller;Léa\r\n".encode("cp1252"), ["Zoé|Lefèvre", "Léa|Müller"]),
    "utf_16_without_mark": ("Nom\tPrénom\r\nLefèvre\tZoé\r\n".encode("utf-16-le"), ["Zoé|Lefèvre"]),
    "utf_16_big": ("Nom\tPrénom\r\nLefèvre\tZoé\r\n".encode("utf-16"), ["Zoé|Lefèvre"]),
    "whole_and_parts": ("Player,First name,Last name\nZoé Lune,Zoé,Lune\n", ["Zoé|Lune"]),
    "numbers_are_no_player": ("Player,Name,Rating\n1,Ana Lopez,1500\n2,Bob May,1400\n", ["Ana|Lopez", "Bob|May"]),
    "standings": ("Rank,Player,Points\n1,Ana Lopez,9\n2,Bob May,6\n", ["Ana|Lopez", "Bob|May"]),
    "line_break_in_a_cell": ('Name,"Club\n(optional)"\n"Ana\nLopez",Foxes\n', ["Ana|Lopez"]),
    "no_titles_one_column_of_names": ("1;Ana Lopez;a@example.org\n2;Bob May;b@example.org\n", ["Ana|Lopez", "Bob|May"]),
    "titles_repeated_on_each_page": ("Nom;Prénom\nMartin;Zoé\nNom;Prénom\nDupont;Léa\n", ["Zoé|Martin", "Léa|Dupont"]),
    "footer": ("Name;Club\nAna Lopez;Foxes\nTotal: 1;\nPage 1/1;\n", ["Ana|Lopez"]),
    "web_page": ("<html><table><tr><td>Name</td></tr><tr><td>Ana Lopez</td></tr></table></html>", ["Ana|Lopez"]),
    "web_page_of_a_spreadsheet": (
        '<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><style>td {}</style></head><body><table>'
        "<tr><th>Nom</th><th>Prénom</th></tr><tr><td>O&#39;Brien</td><td>Seán</td></tr></table></body></html>",
        ["Seán|O'Brien"],
    ),
    # Lists.
    "one_per_line": ("Ana Lopez\nBob May\nEve\n", ["Ana|Lopez", "Bob|May", "Eve|"]),
    "numbered": ("1. Ana Lopez\n2. Bob May\n- Dan Fo\n• Eve Gu\n", ["Ana|Lopez", "Bob|May", "Dan|Fo", "Eve|Gu"]),
    "numbered_otherwise": (
        "1) Ana Lopez\n#2 Bob May\n3 - Dan Fo\n(4) Eve Gu\n5.Cy Dale\n",
        ["Ana|Lopez", "Bob|May", "Dan|Fo", "Eve|Gu", "Cy|Dale"],
    ),
    "numbered_without_a_mark": ("1 Ana Lopez\n2 Bob May\n3 Eve Gu\n", ["Ana|Lopez", "Bob|May", "Eve|Gu"]),
    "boxes": ("☐ Ana Lopez\n☑ Bob May\n- [ ] Eve Gu\n* Dan Fo ✅\n", ["Ana|Lopez", "Bob|May", "Eve|Gu", "Dan|Fo"]),
    "title_of_a_list": ("Players (3):\nAna Lopez\nBob May\nEve Gu\n", ["Ana|Lopez", "Bob|May", "Eve|Gu"]),
    "ruled": ("Teilnehmerliste\n===============\nJürgen Groß\n---\nKäthe Öz\n", ["Jürgen|Groß", "Käthe|Öz"]),
    "markdown": ("| Name | Club |\n|:---|---:|\n| Ana Lopez | Foo |\n| **Bob May** | |\n", ["Ana|Lopez", "Bob|May"]),
    "markdown_of_one_column": ("| Joueur |\n|---|\n| Zoé Martin |\n", ["Zoé|Martin"]),
    "drawn_table": (
        "+-----------+------+\n| Name      | Club |\n+-----------+------+\n| Ana Lopez | Foo  |\n",
        ["Ana|Lopez"],
    ),
    "last_comma_first": (
        "O'Brien, Seán\nLópez, Ana\nde la Cruz, Inés\n",
        ["Seán|O'Brien", "Ana|López", "Inés|de la Cruz"],
    ),
    "last_comma_first_and_a_nickname": ("Dupont, Jean\nMARTIN Emma\nBob\n", ["Jean|Dupont", "Emma|MARTIN", "Bob|"]),
    "all_on_one_line": ("Ana Lopez, Bob May, Eve Gu", ["Ana|Lopez", "Bob|May", "Eve|Gu"]),
    "mentions": ("@ana\n@bob_may\n", ["ana|", "bob_may|"]),
    "chat": ("[28/11/2026, 10:02:11] Ana Lopez: I'm in\n28.11.26, 10:05 - Bob May: +1\n", ["Ana|Lopez", "Bob|May"]),
    "with_addresses": ("Ana Lopez <a@example.org>\nBob May <b@example.org>\n", ["Ana|Lopez", "Bob|May"]),
    "end_of_file_mark": ("Ana Lopez\r\nBob May\r\n\x1a", ["Ana|Lopez", "Bob|May"]),
    "a_single_name": ("Ana Lopez", ["Ana|Lopez"]),
    "numbers_for_names": ("Player 1\nPlayer 2\n", ["Player 1|", "Player 2|"]),
}

# No title says which column has the names: the user is asked.
ASKED: dict[str, str | bytes] = {
    "two_columns": "Ana,Lopez\nBob,May\n",
    "three_columns": "Ana;Lopez;Foxes\nBob;May;Owls\n",
    "name_and_club": "Ana Lopez\tFoxes\nBob May\tOwls\n",
    "unknown_title": "Spielfigur;Wappen\nAna Lopez;Fuchs\nBob May;Eule\n",
    "one_title_over_two_cells": "Player;;Club\nAna;Lopez;Foxes\nBob;May;Owls\n",
    "numbers_under_the_title": "Name;Wappen\n1;Ana Lopez\n2;Bob May\n",
}

# What is no list of people.
REFUSED: dict[str, str | bytes] = {
    "decklist": "4 Braisillon\n3 Corbeau\n2 Lune\n4 Pont\n1 Renard\n",
    "letter": (
        "Dear organizer,\nI would like to register my son for the tournament of this Saturday, please.\n"
        "He has never played before and would need to borrow a deck from the club, if possible.\n"
        "Could you also tell us at what time the doors open and how long the event will take?\n"
    ),
    "web_page_without_a_table": "<!DOCTYPE html><html><body><p>Sign in</p></body></html>",
    "xml": "<?xml version='1.0'?><a><b>Ana</b></a>",
    "dates": "28/11/2026;10:00\n29/11/2026;11:00\n",
    "pdf": b"%PDF-1.4 \x00\x01",
    "workbook": b"PK\x03\x04\x14\x00\x06\x00",
    "old_workbook": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    "contact": "BEGIN:VCARD\nFN:Ana Lopez\nEND:VCARD\n",
}
