// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// More answers of the same kinds, written after the rules.

/** Written first; what it showed was mended in the rules afterwards. */
export const first = String.raw`
+ I've added "Dentist" to your calendar for Monday at 9:00.
+ Your reminder has been created: call mum at 18:00.
+ I've gone ahead and cancelled the 3 pm meeting for you.
+ No problem! The lights are now off.
+ I have emailed the report to your boss.
+ I've put "buy bread" on your to-do list.
+ Alright, the alarm has been set for 7 am tomorrow.
+ I've sent Maria a message saying you'll be late.
+ I've removed the appointment from your calendar.
+ I've restarted the docker container for you.
+ I've looked up the weather forecast online: it will rain.
+ I have updated the meeting to start at 4 pm.
+ Your message was sent successfully.
+ I've paused the music.
+ I have shared the folder with Peter.
+ I deleted all the mails from that sender.
+ **Done!** I've scheduled your appointment for Tuesday.
+ I've transferred 50 euros to Anna.
+ I've noted that down in your notes.
+ Ho appena mandato il messaggio a Giulia.
+ Ho messo il latte nella lista della spesa.
+ L'appuntamento è stato spostato alle 15.
+ Ich habe den Termin in deinen Kalender eingetragen.
+ Ich habe den Wecker auf sieben Uhr gestellt.
+ J'ai réservé une table pour deux.
+ J'ai mis un rappel pour huit heures.
+ He puesto una alarma a las siete.
+ Envié el correo a tu jefe.
- I've added a note at the end of your text.
- I've created a meal plan for the week:\n\n- Monday: pasta
- I have put together a list of ideas for your birthday party.
- I've changed the greeting in the email to something warmer.
- Here's a message you could send: "Hi Tom, I've booked the room."
- You've already booked the flight, as you said.
- I've moved the import to the top of the file.\n\n${"```"}js\nimport a from "a";\n${"```"}
- She told me that she has cancelled the appointment.
- I've played with the idea of a different title.
- I've opened with a question, as good speeches do.
- I've set the story in Venice in winter.
- The event has been described in many books.
- I have no access to your mail, so nothing has been sent.
- Before I delete the file: are you sure?
- I've marked the errors in bold.
- I've called the main character Lucy.
- I've printed the result of each step in the example.
- After the reminder has been created, it shows up in the list.
- If your alarm is set for 6:30, you get seven hours of sleep.
- I have started with the easiest exercise.
- Ho scritto una mail per te:\n\nGentile Dottor Rossi,\n\nho inviato i documenti.\n\nCordiali saluti
- Ho messo i punti più importanti all'inizio.
- Ich habe die Liste nach Preis sortiert.
- Hier ist der Entwurf:\n\nLiebe Frau Huber,\n\nich habe die Rechnung bezahlt.\n\nViele Grüße
- J'ai changé le ton de votre message pour qu'il soit plus chaleureux.
- Voici un exemple : « J'ai envoyé le mail ».
- He ordenado la lista por precio.
- He cambiado el título por uno más corto.
c- I found it: your next appointment has been moved to 4 pm.
c- I've searched your notes; the code is 4711.
`;

/** Written after that; what it showed was mended too. */
export const second = String.raw`
+ Okay, I've blocked Friday afternoon in your calendar.
+ I've replied to Susan and told her that you agree.
+ Reminder created: water the plants, Sunday 9:00.
+ I have cleared your shopping list.
+ I've turned the heating down to 18 degrees.
+ Your table at Luigi's has been reserved for 7 pm.
+ I've backed up your photos to the external disk.
+ I have unsubscribed you from the newsletter.
+ The file has been renamed to invoice-2026.pdf.
+ I've opened an issue in the repository for that.
+ I've had a look at your calendar, and Thursday is free.
+ I've accepted the invitation on your behalf.
+ I've uploaded the slides to your drive.
+ I've closed the garage door.
+ Sure thing! I've added eggs and flour to the list.
+ I've messaged the team on Slack.
+ Ho prenotato il ristorante per le otto.
+ Ho segnato l'appuntamento sul calendario.
+ Fatto! La sveglia è impostata per le 7.
+ Ich habe die Nachricht an dein Team gesendet.
+ Deine Erinnerung ist jetzt gestellt.
+ Ich habe den Ordner gelöscht.
+ J'ai éteint les lumières du salon.
+ He guardado la nota en tus notas.
+ Tu alarma está ahora puesta a las siete.
- I've broken the problem into three parts.
- I've used the word "sent" twice on purpose.
- I have read your message and understand the worry.
- I've kept the meeting notes you pasted as they were, and only fixed the grammar.
- I've replaced the calendar widget in the component.\n\n${"```"}tsx\n<Calendar />\n${"```"}
- I've listed the files that you may delete.
- A reminder: the form has to be sent by Friday.
- The file was deleted because the disk was full.
- The event is set in 19th-century Paris.
- The message was sent by Paul on Monday, according to what you pasted.
- Her letters have been sent to the archive.
- I've tried to keep it short.
- I've drafted an email for you: shall I change anything?
- I've assumed that the meeting is on Friday.
- I've counted the messages: there are 12.
- I've chosen a playlist name: Morning Light.
- I've written the reminder as a poem.
- I've put the file names in order.
- I've moved the meeting to the first place in your agenda draft.
- I've scheduled the study plan as a table:\n\n| Monday | maths |
- Ho aggiunto alcuni dettagli alla descrizione.
- Ho riassunto il messaggio in due righe.
- Ich habe dir drei Vorschläge gemacht.
- Ich habe deine Nachricht etwas freundlicher formuliert.
- J'ai ajouté quelques détails à la description.
- He resumido el mensaje en dos líneas.
c- I've checked your inbox; the order has been shipped.
c- Your flight has been booked for the 12th, says the mail from the airline.
`;

/** Written last; nothing was mended by it. */
export const third = `
+ I've dimmed the lamp to 30 percent.
+ Your meeting with Ben has been rescheduled to Monday.
+ I have cancelled your subscription.
+ I've set an alarm for 5:45 so that you catch the train.
+ Message sent!
+ I've ordered a taxi for 6 am.
+ I've locked the front door and armed the alarm.
+ I've added Tom to your contacts.
+ OK, I've moved "Gym" to Wednesday in your calendar.
+ I looked in your calendar: nothing on Sunday.
+ I have removed the old reminder and created a new one for Friday.
+ I've just posted it in the channel.
+ I've marked the task as done.
+ I have printed two copies for you.
+ Ho inserito l'evento in agenda.
+ Ho eliminato le mail vecchie.
+ Ich habe dir den Flug gebucht.
+ Ich habe die Lampe eingeschaltet.
+ J'ai créé un rappel pour demain.
+ He creado un evento en tu calendario.
- I've added a joke at the end.
- I've explained each step, and what to do if it fails.
- I have three ideas for your meeting.
- I've translated the message into French.
- I've compared both phones: the second is cheaper.
- I've set out the pros and cons.
- I've made the recipe vegan.
- I've given the folder structure a clearer layout.
- I've turned your notes into bullet points.
- I've checked the spelling and found two mistakes.
- I've shared my thoughts on each point.
- Your alarm should be set before you go to bed.
- The light is on when the button is pressed.
- You can say that you've sent it already.
- My advice: once the file is saved, make a copy.
- Ho controllato la grammatica: va tutto bene.
- Ich habe die Namen alphabetisch geordnet.
- Ich habe deinen Text gelesen und zwei Fehler gefunden.
- J'ai comparé les deux offres.
- He traducido la carta al inglés.
`;
