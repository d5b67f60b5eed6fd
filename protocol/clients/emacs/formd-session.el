;;; formd-session.el --- Live sessions of forms  -*- lexical-binding: t; -*-

;;; Commentary:

;; A session is one live copy of a form: its document, which updates are
;; merged into, and its values.  What the user does goes out in order; what
;; the daemon says comes back and is told to an observer.
;;
;; The user's value wins while it is ahead: between the change and the
;; daemon's answer to it, what the daemon says of that value is held, and
;; counts when the answer is there.
;;
;; When the connection is lost, the session keeps the typed values.  When it is
;; restored, a kept session is attached again.  Otherwise, the form is opened
;; again and gets the user's values.

;;; Code:

(require 'formd-connection)
(require 'formd-drafts)

(cl-defstruct (formd-session (:constructor formd-session--make) (:copier nil))
  "A live copy of a form."
  connection
  ;; Which form: an object with a member form or definition.
  source
  ;; The language of its texts, or nil.
  locale
  ;; How long the daemon keeps the session without clients, such as "1h"; the
  ;; key that opens the kept session, a secret; and the number of its last event.
  keep key (seq 0)
  ;; How often the session was attached again since the last update.
  (attempts 0)
  ;; The daemon's number of the session; nil if it has none.
  number
  ;; `open'; `lost' while there is no connection, or the form is not open
  ;; again yet; `failed' when it could not be opened again; `closed'.
  (state 'lost)
  ;; Why it failed or was closed: a text.
  reason
  document revision
  ;; The form's description, and its fields by address.
  description index
  ;; The values by address, without secrets; and the last whole values.
  (values (make-hash-table :test #'equal)) tree
  ;; An uninterned symbol, with a table of the secrets by address as its value.
  ;; The secrets are in no other place.  Functions that print a session, such
  ;; as C-h v or a backtrace, print only the symbol's name.
  (vault (let ((vault (make-symbol "secrets")))
           (set vault (make-hash-table :test #'equal))
           vault))
  ;; The addresses of the user's values since the form was first opened.
  (given (make-hash-table :test #'equal))
  ;; The addresses whose values must still be sent, in order.
  unsent
  ;; By address, the number of changes without an answer; and the values that
  ;; the daemon sent in that time.
  (unanswered (make-hash-table :test #'equal))
  (held (make-hash-table :test #'equal))
  ;; The address of the value that was sent while an input method composed it.
  composed
  ;; Whether the whole document was requested, because an update was missed.
  resynchronising
  ;; A function of (KIND DATA), called when something happened:
  ;; `update' (the update's params), `event' (the event), `values' (nothing),
  ;; `state' (nothing), `refused' (what the daemon says), `reopened' (a
  ;; function that gives an address that was, its address now, or nil).
  (observer #'ignore)
  ;; The function that the connection calls; kept so that it can be removed.
  on-lost on-back)

;;;; Opening and closing

(defun formd-session-open (connection source locale observer &optional keep key)
  "Open a session of SOURCE on CONNECTION and return it.
SOURCE is an object with a member form, a name, or definition.  LOCALE is the
language of the texts, or nil.  OBSERVER is told what happens; the struct
`formd-session' says how.  KEEP is how long the session outlives its clients, or
nil.  KEY, if non-nil, opens a kept session in the
place of a new one.  Signal `formd-refused' if the daemon refuses."
  (let ((session (formd-session--make :connection connection :source source :locale locale
                                      :observer observer :keep keep :key key))
        events)
    (if key
        (formd-connection-call connection "session/attach" (formd-session--attaching session)
                               (lambda (attached)
                                 (setq events (formd-list attached "events"))
                                 (formd-session--adopt session attached)))
      (formd-connection-call connection "session/open" (formd-session--opening session)
                             (lambda (opened) (formd-session--adopt session opened))))
    (formd-session--describe
     session (formd-connection-call connection "form/describe"
                                    (formd-object "session" (formd-session-number session))))
    (when key
      (setf (formd-session-source session)
            (formd-object "form" (formd-get (formd-session-description session) "form")))
      ;; The events before the first attach are no news.
      (setf (formd-session-seq session) (or (formd-get (car (last events)) "seq") 0)))
    (formd-session--note session)
    (formd-session--take-values session (formd-session-tree session))
    (setf (formd-session-state session) 'open
          (formd-session-on-lost session) (lambda () (formd-session--lost session))
          (formd-session-on-back session) (lambda () (formd-session-reopen session)))
    (push (formd-session-on-lost session) (formd-connection-on-lost connection))
    (push (formd-session-on-back session) (formd-connection-on-back connection))
    (unless (and (eql 0 (formd-session-revision session)) (null key))
      ;; The document has changed already.
      (formd-session-refresh session))
    session))

(defun formd-session-draft-p (session)
  "Return non-nil if the input of SESSION outlives Emacs."
  (and (formd-session-key session)
       (or (> (hash-table-count (formd-session-given session)) 0)
           (formd-true-p (formd-session-document session) "isDirty"))))

(defun formd-session-close (session &optional is-sent)
  "Close SESSION, or leave it as a draft unless IS-SENT.
The connection is closed with its last session."
  (let ((connection (formd-session-connection session))
        (is-draft (and (formd-session-draft-p session) (not is-sent))))
    (when (and (formd-session-number session) (formd-connection-live-p connection))
      (remhash (formd-session-number session) (formd-connection-sessions connection))
      (formd-connection-send connection (if is-draft "session/detach" "session/close")
                             (formd-object "session" (formd-session-number session)))
      (when (and (formd-session-key session) (not is-draft))
        (formd-drafts-forget (formd-session-key session))))
    (setf (formd-session-state session) 'closed
          (formd-connection-on-lost connection)
          (delq (formd-session-on-lost session) (formd-connection-on-lost connection))
          (formd-connection-on-back connection)
          (delq (formd-session-on-back session) (formd-connection-on-back connection)))
    (clrhash (formd-session--secrets session))
    (when (null (formd-connection-on-back connection))
      (formd-connection-close connection))))

(defun formd-session--opening (session)
  "Return the params that open SESSION."
  (let ((params (copy-hash-table (formd-session-source session))))
    (when (formd-session-locale session)
      (puthash "locale" (formd-session-locale session) params))
    (when (formd-session-keep session)
      (puthash "keep" (formd-session-keep session) params))
    params))

(defun formd-session--attaching (session)
  "Return the params that attach to SESSION, which is kept."
  (formd-object "key" (formd-session-key session) "seq" (formd-session-seq session)))

(defun formd-session--note (session)
  "Note SESSION as a draft, if it is kept."
  (when (formd-session-key session)
    (let ((description (formd-session-description session)))
      (formd-drafts-note (formd-session-key session) (formd-get description "form")
                         (or (formd-get description "title") (formd-get description "form"))
                         (formd-session-keep session)
                         (formd-connection-path (formd-session-connection session))))))

(defun formd-session--adopt (session opened)
  "Have SESSION be OPENED, a result of session/open or session/attach."
  (when (formd-get opened "key")
    (setf (formd-session-key session) (formd-get opened "key")))
  (setf (formd-session-number session) (formd-get opened "session")
        (formd-session-revision session) (formd-get opened "revision")
        (formd-session-document session) (formd-get opened "document")
        (formd-session-tree session) (formd-get opened "values")
        (formd-session-resynchronising session) nil)
  (puthash (formd-session-number session)
           (lambda (method params) (formd-session--told session method params))
           (formd-connection-sessions (formd-session-connection session))))

(defun formd-session--describe (session description)
  "Have SESSION be described by DESCRIPTION, a result of form/describe."
  (setf (formd-session-description session) description
        (formd-session-index session) (formd-description-index description)))

(defun formd-session--observe (session kind &optional data)
  "Tell the observer of SESSION what happened: KIND, with DATA."
  (funcall (formd-session-observer session) kind data))

;;;; What stands there

(defun formd-session-field (session address)
  "Return the description of the field at ADDRESS in SESSION, or nil."
  (gethash (formd-address-template address) (formd-session-index session)))

(defun formd-session-field-state (session address)
  "Return the state of the field at ADDRESS in SESSION, or nil."
  (formd-document-state (formd-session-document session) address))

(defun formd-session-value (session address)
  "Return the value at ADDRESS in SESSION, or nil.  That of a secret is nil."
  (gethash address (formd-session-values session)))

(defun formd-session--secrets (session)
  "Return the table of the secrets of SESSION by address."
  (symbol-value (formd-session-vault session)))

(defun formd-session-secret (session address)
  "Return the secret that the user gave at ADDRESS in SESSION, or nil."
  (gethash address (formd-session--secrets session)))

(defun formd-session-message (session address)
  "Return the visible message at ADDRESS in SESSION, or nil."
  (formd-get (formd-session-document session) "messages" address))

(defun formd-session-ahead-p (session address)
  "Return non-nil if the daemon has not answered the last change at ADDRESS.
SESSION is the session."
  (or (member address (formd-session-unsent session))
      (gethash address (formd-session-unanswered session))))

;;;; What the user does

(defun formd-session-send (session method params &optional on-result)
  "Send METHOD with PARAMS for SESSION, behind all that waits.
ON-RESULT is called with the result; the observer is told of a refusal.
Signal an error if the session is not open."
  (formd-session-flush session)
  (formd-session--request session method params on-result))

(defun formd-session--request (session method params &optional on-result on-error)
  "Send METHOD with PARAMS for SESSION.  ON-RESULT is called with the result.
ON-ERROR is called with an error; without it the observer is told."
  (unless (eq 'open (formd-session-state session))
    (user-error "The form is not connected; typed values are kept.  Try M-x formd-reconnect"))
  (puthash "session" (formd-session-number session) params)
  (formd-connection-send (formd-session-connection session) method params on-result
                         (or on-error
                             (lambda (problem)
                               ;; Code 0 is the end of the connection, which is
                               ;; reported separately.
                               (unless (eq 0 (formd-get problem "code"))
                                 (formd-session--observe session 'refused problem))))))

(defun formd-session-change (session address value)
  "The user gives the field at ADDRESS in SESSION the VALUE; :null is none.
It is sent by `formd-session-flush', which sends only the last of several."
  (when (stringp value)
    (setq value (formd-unicode value)))
  (if (formd-true-p (formd-session-field session address) "isSecret")
      (puthash address value (formd-session--secrets session))
    (puthash address (unless (eq value :null) value) (formd-session-values session)))
  (puthash address t (formd-session-given session))
  (remhash address (formd-session-held session))
  (formd-session--wait session address))

(defun formd-session-flush (session &optional composing)
  "Send all that waits in SESSION, if there is a connection.
COMPOSING says that an input method is composing a character: the daemon shows
no new messages then.  What was sent so is sent again when that is over."
  (when (and (formd-session-composed session) (not composing))
    (formd-session--wait session (formd-session-composed session))
    (setf (formd-session-composed session) nil))
  (while (and (formd-session-unsent session) (eq 'open (formd-session-state session)))
    (let ((address (pop (formd-session-unsent session))))
      (when composing
        (setf (formd-session-composed session) address))
      (cl-incf (gethash address (formd-session-unanswered session) 0))
      (formd-session--request
       session "field/change"
       (formd-object "field" address "composing" (and composing t)
                     "value" (or (formd-session-secret session address)
                                 (formd-session-value session address) :null))
       (lambda (_result) (formd-session--answered session address))
       (lambda (problem)
         ;; After the end of the connection, the value waits to be sent again.
         (unless (eq 0 (formd-get problem "code"))
           (formd-session--answered session address)
           ;; A removed row takes no more changes, and the user needs no message.
           (unless (and (eq 1004 (formd-get problem "code"))
                        (formd-get problem "data" "reason"))
             (formd-session--observe session 'refused problem))))))))

(defun formd-session--wait (session address)
  "Have the value at ADDRESS in SESSION wait to be sent."
  (unless (member address (formd-session-unsent session))
    (setf (formd-session-unsent session)
          (append (formd-session-unsent session) (list address)))))

(defun formd-session--answered (session address)
  "A change at ADDRESS in SESSION was answered."
  (when (<= (cl-decf (gethash address (formd-session-unanswered session) 1)) 0)
    (remhash address (formd-session-unanswered session))
    (let ((held (gethash address (formd-session-held session) 'none)))
      (unless (or (eq held 'none) (formd-session-ahead-p session address))
        (remhash address (formd-session-held session))
        (puthash address held (formd-session-values session))
        (formd-session--observe session 'values)))))

(defun formd-session-focus (session address)
  "The user begins to edit the field at ADDRESS in SESSION."
  (formd-session--edit session "field/focus" address))

(defun formd-session-blur (session address)
  "The user has left the field at ADDRESS in SESSION."
  (formd-session--edit session "field/blur" address))

(defun formd-session--edit (session method address)
  "Send METHOD for ADDRESS in SESSION, unless that is not connected or gone."
  (when (and (eq 'open (formd-session-state session))
             (formd-session-field-state session address))
    (formd-session-flush session)
    (formd-session--request session method (formd-object "field" address) nil #'ignore)))

(defun formd-session-insert (session list at function)
  "Add a row to the LIST of SESSION before the row AT, or behind the last.
LIST and AT are addresses; AT may be nil.  FUNCTION is called with the new
row's address when its values are there."
  (formd-session-send
   session "field/insert"
   (formd-object "field" list "at" (and at (car (last (formd-address-names at)))))
   (lambda (result)
     ;; Only the whole document has the defaults of the new row.
     (formd-session-refresh
      session (lambda ()
                (funcall function (formd-address-below
                                   list (concat "#" (formd-get result "row")))))))))

(defun formd-session-remove (session row)
  "Remove the ROW, an address, from SESSION."
  (formd-session-send session "field/remove" (formd-object "field" row)))

(defun formd-session-move (session row to)
  "Move the ROW, an address, of SESSION to the position TO, from 0."
  (formd-session-send session "field/move" (formd-object "field" row "to" to)))

(defun formd-session-tap (session action)
  "Tap the ACTION of SESSION.  Its outcome comes as an event."
  (formd-session-flush session)
  (formd-session--request
   session "action/tap" (formd-object "action" action)
   (lambda (result)
     ;; A tap that a throttle drops has no event.
     (when (and (equal "dropped" (formd-get result "outcome")) (not (formd-get result "run")))
       (formd-session--observe session 'event (formd-object "action" action "kind" "dropped"))))
   (lambda (problem)
     (formd-session--observe
      session 'refused
      (if (eq 0 (formd-get problem "code"))
          (formd-object "code" 0 "message"
                        (format "%s may have been executed: the connection was lost before the answer"
                                action))
        problem)))))

(defun formd-session-show-step (session step)
  "The user turned to the STEP of SESSION."
  (formd-session-send session "step/show" (formd-object "step" step)))

(defun formd-session-reset (session)
  "Reset the fields of SESSION to their initial values."
  (formd-session-send session "session/reset" (formd-object)
                      (lambda (_result)
                        (clrhash (formd-session--secrets session))
                        (clrhash (formd-session-given session))
                        (clrhash (formd-session-held session))
                        (formd-session-refresh session))))

(defun formd-session-undo (session)
  "Take back the last edit of the users of SESSION."
  (formd-session-send session "session/undo" (formd-object)))

(defun formd-session-redo (session)
  "Repeat the edit of SESSION that was taken back last."
  (formd-session-send session "session/redo" (formd-object)))

(defun formd-session-set-locale (session locale)
  "Change the language of the texts of SESSION to LOCALE."
  (setf (formd-session-locale session) locale)
  (formd-session-send session "session/setLocale" (formd-object "locale" locale))
  (formd-session-send session "form/describe" (formd-object)
                      (lambda (description)
                        (formd-session--describe session description)
                        (formd-session--observe session 'update (formd-object)))))

(defun formd-session-refresh (session &optional function)
  "Ask for the whole document and the values of SESSION.  Then call FUNCTION."
  (formd-session-send session "session/get" (formd-object)
                      (lambda (result)
                        (setf (formd-session-document session) (formd-get result "document")
                              (formd-session-revision session) (formd-get result "revision")
                              (formd-session-resynchronising session) nil)
                        (formd-session--take-values session (formd-get result "values"))
                        (formd-session--observe session 'update (formd-object))
                        (when function (funcall function)))))

;;;; What the daemon says

(defun formd-session--told (session method params)
  "The daemon told SESSION something: METHOD with PARAMS."
  (pcase method
    ("session/update" (formd-session--updated session params))
    ("session/desync" (formd-session--resynchronise session))
    ("session/closed"
     (setf (formd-session-state session) 'lost
           (formd-session-reason session) (formd-get params "reason"))
     (if (and (formd-session-key session)
              (member (formd-session-reason session) '("store" "lost")))
         ;; The daemon could not store the last input.  It has the session as
         ;; it was before.
         (formd-session--attach-again session 0)
       (formd-session--observe session 'state)))))

(defun formd-session--updated (session params)
  "Merge the update PARAMS into SESSION, and tell the observer."
  (cond
   ;; The requested document is newer than this update.
   ((formd-session-resynchronising session))
   ((not (eql (formd-get params "from") (formd-session-revision session)))
    (formd-session--resynchronise session))
   (t
    (setf (formd-session-document session)
          (formd-merge-patch (formd-session-document session) (formd-get params "patch"))
          (formd-session-revision session) (formd-get params "revision")
          (formd-session-attempts session) 0)
    ;; A session that is being opened or restored gets all values at the end,
    ;; and is not shown half full.
    (when (eq 'open (formd-session-state session))
      (when (formd-get params "values")
        (maphash (lambda (address value) (formd-session--moved session address value))
                 (formd-get params "values")))
      (dolist (address (formd-list params "absent"))
        (formd-session--moved session address nil))
      (formd-session--observe session 'update params))))
  (formd-session--happened session (formd-list params "events")))

(defun formd-session--happened (session events)
  "Tell the observer of SESSION of EVENTS."
  (dolist (event events)
    ;; An attach can return events that the session had already.
    (when (> (formd-get event "seq") (formd-session-seq session))
      (setf (formd-session-seq session) (formd-get event "seq"))
      (formd-session--observe session 'event event))))

(defun formd-session--resynchronise (session)
  "Ask for the whole document of SESSION, since an update was missed."
  (unless (formd-session-resynchronising session)
    (setf (formd-session-resynchronising session) t)
    (formd-session-refresh session)))

(defun formd-session--moved (session address value)
  "The daemon changed the value at ADDRESS in SESSION to VALUE; nil is none."
  (let ((field (formd-session-field session address)))
    (cond ((null field)
           ;; A place inside of a value, which is not a field.
           (formd-session-refresh session))
          ((and (formd-address-row address)
                (formd-field-set-p (formd-session-field
                                    session (formd-address-list (formd-address-row address)))))
           (formd-session-refresh session))
          ((formd-true-p field "isSecret")
           (remhash address (formd-session--secrets session)))
          (t (formd-values-flatten field address value (formd-session-document session)
                                   (lambda (place part)
                                     (formd-session--take-value session place part)))))))

(defun formd-session--take-values (session tree)
  "Take the values of SESSION from TREE, which has them all."
  (setf (formd-session-tree session) tree)
  (dolist (field (formd-list (formd-session-description session) "fields"))
    (let ((name (formd-address (list (formd-get field "name")))))
      (formd-values-flatten field name (and tree (gethash (formd-get field "name") tree))
                            (formd-session-document session)
                            (lambda (address value)
                              (formd-session--take-value session address value))))))

(defun formd-session--take-value (session address value)
  "Take VALUE for ADDRESS of SESSION, unless the user's own is ahead."
  (if (formd-session-ahead-p session address)
      (puthash address value (formd-session-held session))
    (puthash address value (formd-session-values session))))

;;;; Losing the daemon, and coming back

(defun formd-session--lost (session)
  "The connection of SESSION is lost."
  (when (memq (formd-session-state session) '(open lost))
    (setf (formd-session-state session) 'lost
          (formd-session-reason session) nil
          (formd-session-number session) nil)
    (dolist (address (hash-table-keys (formd-session-unanswered session)))
      (formd-session--wait session address))
    (clrhash (formd-session-unanswered session))
    (clrhash (formd-session-held session))
    (formd-session--observe session 'state)))

(defun formd-session-reopen (session)
  "The connection of SESSION is restored: attach to it, or open its form again."
  (when (memq (formd-session-state session) '(lost failed))
    (let ((connection (formd-session-connection session))
          (failed (lambda (problem)
                    (unless (eq 0 (formd-get problem "code"))
                      (setf (formd-session-state session) 'failed
                            (formd-session-reason session) (formd-get problem "message"))
                      (formd-session--observe session 'state)))))
      (if (null (formd-session-key session))
          (formd-connection-send
           connection "session/open" (formd-session--opening session)
           (lambda (opened) (formd-session--restore session opened))
           failed)
        (formd-connection-send
         connection "session/attach" (formd-session--attaching session)
         (lambda (attached) (formd-session--attach session attached))
         (lambda (problem)
           (pcase (formd-get problem "code")
             ;; The daemon has lost the session: another one gets the values.
             (1001 (formd-drafts-forget (formd-session-key session))
                   (setf (formd-session-key session) nil)
                   (formd-session-reopen session))
             ((or 1010 1011) (formd-session--attach-again
                              session (formd-connection-wanted-delay problem)))
             (_ (funcall failed problem)))))))))

(defun formd-session--attach-again (session wait)
  "Attach to SESSION again, after a pause if that was tried before.
WAIT is how many seconds the daemon asks for."
  (let* ((connection (formd-session-connection session))
         (process (formd-connection-process connection))
         (attempts (formd-session-attempts session))
         (pause (if (zerop attempts) 0 (formd-connection-delay (1- attempts)))))
    (setf (formd-session-attempts session) (1+ attempts))
    (run-at-time (max pause wait) nil
                 (lambda ()
                   ;; Another connection attaches by itself.
                   (when (and process (eq process (formd-connection-process connection)))
                     (formd-session-reopen session))))))

(defun formd-session--attach (session attached)
  "SESSION is ATTACHED again: give it what the user typed in the meantime."
  (formd-session--adopt session attached)
  (let ((connection (formd-session-connection session))
        (of (formd-object "session" (formd-session-number session))))
    (formd-connection-send connection "form/describe" of
                           (lambda (description)
                             (formd-session--describe session description)
                             (formd-session--note session)))
    (formd-connection-send connection "session/get" of
                           (lambda (result)
                             (formd-session--attached session result)
                             (formd-session--happened session (formd-list attached "events"))))))

(defun formd-session--attached (session result)
  "SESSION is as in RESULT, apart from what the user typed in the meantime."
  (let ((typed (mapcar (lambda (address)
                         (cons address (formd-session-value session address)))
                       (formd-session-unsent session))))
    (setf (formd-session-document session) (formd-get result "document")
          (formd-session-revision session) (formd-get result "revision")
          (formd-session-unsent session) nil
          (formd-session-state session) 'open)
    (clrhash (formd-session-values session))
    (formd-session--take-values session (formd-get result "values"))
    ;; A daemon that was restarted has no secrets.
    (maphash (lambda (address _secret)
               (let ((state (formd-session-field-state session address)))
                 (when (and state (formd-state-true-p state "isEmpty"))
                   (push (cons address nil) typed))))
             (formd-session--secrets session))
    (dolist (change typed)
      (when (formd-session-field-state session (car change))
        (formd-session-change session (car change)
                              (or (formd-session-secret session (car change))
                                  (cdr change) :null))))
    (formd-session--observe session 'reopened #'identity)
    (formd-session-flush session)))

(defun formd-session--restore (session opened)
  "SESSION was opened again as OPENED: give it the values of the user."
  (let* ((before (formd-session-document session))
         (values (formd-session--given-values session))
         (touched (formd-session--touched session))
         (step (formd-get before "step")))
    (setf (formd-session-unsent session) nil
          (formd-session-composed session) nil)
    (setf (formd-session-seq session) 0)
    (formd-session--adopt session opened)
    ;; Until all values are restored, the session counts as lost, and new input
    ;; waits.
    (let ((send (lambda (method params &optional on-result on-error)
                  (puthash "session" (formd-session-number session) params)
                  (formd-connection-send (formd-session-connection session) method params
                                         on-result on-error))))
      ;; One by one: if the form has changed, it may refuse some of them.
      (maphash (lambda (address value)
                 (funcall send "field/change"
                          (formd-object "field" address "value" value "origin" "restore")
                          nil
                          (lambda (problem)
                            (formd-session--observe session 'refused problem))))
               values)
      (dolist (address touched)
        (funcall send "field/blur" (formd-object "field" address)))
      (when step
        (funcall send "step/show" (formd-object "step" step)))
      (funcall send "form/describe" (formd-object)
               (lambda (description)
                 (formd-session--describe session description)
                 (formd-session--note session)))
      (funcall send "session/get" (formd-object)
               (lambda (result) (formd-session--restored session before result))))))

(defun formd-session--restored (session before result)
  "SESSION has its values again: its document was BEFORE and is in RESULT."
  (let* ((document (formd-get result "document"))
         (now (lambda (address)
                (when-let* ((place (formd-document-by-position before address)))
                  (formd-document-by-identity document place))))
         (typed (mapcar (lambda (address)
                          (cons (funcall now address) (formd-session-value session address)))
                        (formd-session-unsent session))))
    (setf (formd-session-document session) document
          (formd-session-revision session) (formd-get result "revision")
          (formd-session-unsent session) nil
          (formd-session-given session) (formd-session--renamed
                                         (formd-session-given session) now)
          (formd-session-state session) 'open)
    (set (formd-session-vault session)
         (formd-session--renamed (formd-session--secrets session) now))
    (clrhash (formd-session-values session))
    (formd-session--take-values session (formd-get result "values"))
    (dolist (change typed)
      (when (car change)
        (formd-session-change session (car change)
                              (or (formd-session-secret session (car change))
                                  (cdr change) :null))))
    (formd-session--observe session 'reopened now)
    (formd-session-flush session)))

(defun formd-session--renamed (table now)
  "Return TABLE, by addresses, with the addresses that the function NOW gives."
  (let ((renamed (make-hash-table :test #'equal)))
    (maphash (lambda (address value)
               (when-let* ((name (funcall now address)))
                 (puthash name value renamed)))
             table)
    renamed))

(defun formd-session--given-values (session)
  "Return the values that the user gave SESSION, as an object by field."
  (let ((given (hash-table-keys (formd-session-given session)))
        (tree (formd-session-tree session))
        (values (formd-object)))
    (dolist (field (formd-list (formd-session-description session) "fields"))
      (let* ((name (formd-get field "name"))
             (address (formd-address (list name))))
        (when (or (cl-some (lambda (place) (formd-address-in-p place address)) given)
                  ;; Rows that were added without a value of their own.
                  (and (formd-get field "items")
                       (not (formd-true-p field "computed"))
                       (formd-state-true-p (formd-session-field-state session address)
                                           "isDirty")))
          (puthash address
                   (or (formd-values-tree
                        field address (and tree (gethash name tree))
                        (formd-session-document session)
                        (lambda (place)
                          (or (formd-session-secret session place)
                              (formd-session-value session place))))
                       :null)
                   values))))
    values))

(defun formd-session--touched (session)
  "Return the addresses, by position, of the fields of SESSION that were left once."
  (let ((document (formd-session-document session)))
    (cl-loop for address in (append (hash-table-keys (formd-session-values session))
                                    (hash-table-keys (formd-session--secrets session)))
             for state = (formd-document-state document address)
             for place = (and state (formd-state-true-p state "isTouched")
                              (formd-document-by-position document address))
             when place collect place)))

(provide 'formd-session)
;;; formd-session.el ends here
