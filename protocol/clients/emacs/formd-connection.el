;;; formd-connection.el --- Connections to the daemon  -*- lexical-binding: t; -*-

;;; Commentary:

;; One connection to a daemon: JSON-RPC 2.0 over a Unix socket, one line a
;; message.  All forms of one socket share a connection.  When it is lost, the
;; sessions on it are told, it comes back by itself, and they are told again.
;;
;; This is no jsonrpc.el, for three reasons.  That library reads {} and null
;; as the same, but in a JSON Merge Patch they are not.  It writes what it
;; sends into a log buffer, secrets included.  And in Emacs 28 it loses what
;; arrives while a handler waits for an answer.

;;; Code:

(require 'formd-document)

(defgroup formd nil
  "Forms of a formd daemon."
  :group 'applications
  :prefix "formd-")

(defcustom formd-socket nil
  "The socket of the daemon, or nil for the default.
The default is the environment variable FORMD_SOCKET, else the file
formd/formd.sock in XDG_RUNTIME_DIR or in /run/user/UID, else
/tmp/formd-UID/formd.sock."
  :type '(choice (const :tag "The default" nil) file))

(defcustom formd-formctl-program "formctl"
  "The program formctl, which starts daemons and is the language server."
  :type 'string)

(defcustom formd-start-daemon t
  "Whether Emacs starts a daemon with \"formctl start\" if none runs.
Emacs does not start a daemon in the place of one that it has not started."
  :type 'boolean)

(defcustom formd-start-arguments nil
  "More arguments for \"formctl start\", such as (\"--forms\" \"~/forms\").
They apply to a daemon that Emacs starts, not to a running daemon."
  :type '(repeat string))

(defcustom formd-timeout 30
  "How many seconds Emacs waits for an answer of the daemon.
Only commands that need the answer wait; typing never waits."
  :type 'number)

(define-error 'formd-error "formd")
(define-error 'formd-no-daemon "No formd daemon" 'formd-error)
(define-error 'formd-refused "Refused by formd" 'formd-error)

(cl-defstruct (formd-connection (:constructor formd-connection--make) (:copier nil))
  "A connection to the daemon that listens at PATH."
  path
  ;; The process while there is a connection, else nil.
  process
  ;; The data after the last whole line: texts, the newest first.
  chunks
  ;; By the id of a waiting request: (ON-RESULT . ON-ERROR).
  (requests (make-hash-table))
  (last-id 0)
  ;; The sessions, by their numbers: functions of (METHOD PARAMS).
  (sessions (make-hash-table))
  ;; Functions without arguments, called when the connection is lost, and when
  ;; it is restored.
  on-lost on-back
  ;; The timer of the next attempt to connect; the number of attempts since the
  ;; daemon has answered a request; and the seconds that it asked for, if it
  ;; refused the connection.
  timer (attempts 0) (retry-after 0)
  ;; The process of "formctl start" while it runs, and whether the last one
  ;; has started a daemon, to which Emacs is not connected yet.
  starting started)

(defvar formd-connection--all nil
  "The connections by their sockets: an association list.")

(defconst formd-connection--delays '(0.2 0.5 1 2 4 8)
  "The seconds before each attempt to connect again; the last value repeats.")

(defvar formd-connection--starters nil
  "By sockets, whether Emacs started the last daemon there: an association list.")

;;;; Where the daemon listens

(defun formd-socket-path ()
  "Return the socket of the daemon: the option `formd-socket', or the default."
  (cond (formd-socket (expand-file-name formd-socket))
        ((formd-connection-environment "FORMD_SOCKET"))
        (t (let ((runtime (or (formd-connection-environment "XDG_RUNTIME_DIR")
                              (formd-connection--own-folder
                               (format "/run/user/%d" (user-uid))))))
             (if runtime
                 (expand-file-name "formd/formd.sock" runtime)
               (expand-file-name "formd.sock" (formd-connection--private-folder)))))))

(defun formd-connection-environment (name)
  "Return the value of the environment variable NAME, or nil if it is empty."
  (let ((value (getenv name)))
    (and value (not (string-empty-p value)) value)))

(defun formd-connection--own-folder (folder)
  "Return FOLDER if it is a folder of the user, else nil."
  (let ((attributes (file-attributes folder 'integer)))
    (and (eq t (file-attribute-type attributes))
         (= (user-uid) (file-attribute-user-id attributes))
         folder)))

(defun formd-connection--private-folder ()
  "Return the folder of the socket if the system has no runtime folders."
  (format "/tmp/formd-%d" (user-uid)))

(defun formd-connection--refuse-foreign-folder (path)
  "Signal an error if PATH is in a private folder that is not private.
Every user can make folders in /tmp, so Emacs checks it before it connects."
  (let ((folder (formd-connection--private-folder)))
    (when (and (equal (directory-file-name (file-name-directory path)) folder)
               (file-exists-p folder)
               (not (and (formd-connection--own-folder folder)
                         (zerop (logand (file-modes folder) #o077)))))
      (signal 'formd-no-daemon
              (list (format "the folder %s is not private to you; remove it, or set `formd-socket'"
                            folder))))))

;;;; Connecting

(defun formd-connection (&optional path)
  "Return a connection to the daemon at PATH, or at the default socket.
If no daemon runs there and `formd-start-daemon' is non-nil, start one.
If there is no connection, signal `formd-no-daemon' with advice."
  (let* ((path (or path (formd-socket-path)))
         (connection (or (alist-get path formd-connection--all nil nil #'equal)
                         (formd-connection--make :path path))))
    (unless (formd-connection-live-p connection)
      ;; A connection that has just ended, which Emacs does not know yet, is
      ;; closed first.
      (formd-connection--lost connection (formd-connection-process connection))
      (unless (formd-connection--connect connection)
        (if (not (formd-connection-may-start-p path))
            (signal 'formd-no-daemon
                    (list (format (if formd-start-daemon
                                      "no daemon listens at %s; Emacs did not start the last one, \
so start it again with the options that it had"
                                    "no daemon listens at %s; start one with `formd serve' or `formctl start'")
                                  path)))
          (formd-connection--start connection)
          (formd-connection-await (lambda () (not (formd-connection-starting connection)))
                                   "formctl start")
          (unless (formd-connection--connect connection)
            (signal 'formd-no-daemon
                    (list (format "`%s start' did not start a daemon at %s: %s"
                                  formd-formctl-program path
                                  (formd-connection--start-trouble))))))))
    (setf (alist-get path formd-connection--all nil nil #'equal) connection)
    connection))

(defun formd-connection-may-start-p (path)
  "Return non-nil if Emacs may start a daemon at PATH.
A daemon that another program started has forms and a configuration that Emacs
does not know, so Emacs does not replace it: protocol/editors.md, Starting a
daemon.  A daemon that ended without cleaning up leaves its socket."
  (and formd-start-daemon
       (let ((known (assoc path formd-connection--starters)))
         (if known (cdr known) (not (file-exists-p path))))))

(defun formd-connection-live-p (connection)
  "Return non-nil if CONNECTION is open."
  (process-live-p (formd-connection-process connection)))

(defun formd-connection--connect (connection)
  "Connect CONNECTION and return non-nil, or return nil if no daemon listens."
  (formd-connection--refuse-foreign-folder (formd-connection-path connection))
  (when-let* ((process (condition-case nil
                          (make-network-process
                           :name "formd" :family 'local :noquery t
                           :service (formd-connection-path connection)
                           :coding 'utf-8-unix)
                        (file-error nil))))
    (when (formd-connection-timer connection)
      (cancel-timer (formd-connection-timer connection)))
    (setf (formd-connection-process connection) process
          (formd-connection-chunks connection) nil
          (formd-connection-timer connection) nil
          (alist-get (formd-connection-path connection) formd-connection--starters
                     nil nil #'equal)
          (formd-connection-started connection)
          (formd-connection-started connection) nil)
    (set-process-filter process (lambda (_process text)
                                  (formd-connection--received connection text)))
    (set-process-sentinel process (lambda (process _event)
                                    (unless (process-live-p process)
                                      (formd-connection--lost connection process))))
    (mapc #'funcall (formd-connection-on-back connection))
    process))

(defun formd-connection--start (connection)
  "Begin to start a daemon for CONNECTION.
Until it has started, `formd-connection-starting' is non-nil."
  (unless (executable-find formd-formctl-program)
    (signal 'formd-no-daemon
            (list (format "no daemon listens at %s, and there is no `%s' in `exec-path' to start one; \
install formd, or set `formd-formctl-program'"
                          (formd-connection-path connection) formd-formctl-program))))
  (let ((process-environment (cons (concat "FORMD_SOCKET=" (formd-connection-path connection))
                                   process-environment)))
    (with-current-buffer (get-buffer-create " *formctl start*")
      (erase-buffer)
      ;; The daemon outlives Emacs, so it may not have a file of Emacs's as output: pipes, which formctl closes.
      (setf (formd-connection-starting connection)
            (make-process :name "formctl start" :noquery t :connection-type 'pipe
                          :buffer (current-buffer)
                          :command `(,formd-formctl-program "start" ,@formd-start-arguments)
                          :sentinel (lambda (process _event)
                                      (unless (process-live-p process)
                                        (setf (formd-connection-starting connection) nil
                                              (formd-connection-started connection)
                                              (zerop (process-exit-status process))))))))))

(defun formd-connection--start-trouble ()
  "Return what the last \"formctl start\" said."
  (with-current-buffer (get-buffer-create " *formctl start*")
    (string-trim (replace-regexp-in-string
                  "\n*Process formctl start.*\n*" ""
                  (buffer-substring-no-properties (point-min) (point-max))))))

(defun formd-connection-close (connection)
  "Close CONNECTION and its sessions for good."
  (when (formd-connection-timer connection)
    (cancel-timer (formd-connection-timer connection)))
  (setf (alist-get (formd-connection-path connection) formd-connection--all
                   nil 'remove #'equal)
        nil)
  (when-let* ((process (formd-connection-process connection)))
    (setf (formd-connection-process connection) nil)
    (set-process-sentinel process #'ignore)
    (delete-process process)))

(defun formd-connection-close-unused ()
  "Close the connections without sessions."
  (dolist (entry (copy-sequence formd-connection--all))
    (unless (formd-connection-on-back (cdr entry))
      (formd-connection-close (cdr entry)))))

;;;; Losing it, and coming back

(defun formd-connection--lost (connection process)
  "CONNECTION had PROCESS, and that has ended.  Nothing happens if it has none."
  (when (and process (eq process (formd-connection-process connection)))
    (let ((requests (hash-table-values (formd-connection-requests connection))))
      (setf (formd-connection-process connection) nil)
      (clrhash (formd-connection-requests connection))
      (clrhash (formd-connection-sessions connection))
      (dolist (request requests)
        (funcall (cdr request) (formd-object "code" 0 "message" "The daemon closed the connection")))
      (mapc #'funcall (formd-connection-on-lost connection))
      (formd-connection--plan connection))))

(defun formd-connection--plan (connection)
  "Let CONNECTION try again after a pause, if a session needs it."
  (when (formd-connection-on-back connection)
    (setf (formd-connection-timer connection)
          (run-at-time (max (formd-connection-delay (formd-connection-attempts connection))
                            (formd-connection-retry-after connection))
                       nil #'formd-connection--try connection)
          (formd-connection-retry-after connection) 0)
    (cl-incf (formd-connection-attempts connection))))

(defun formd-connection-delay (attempts)
  "Return the seconds before the next attempt, after a number of ATTEMPTS."
  (or (nth attempts formd-connection--delays)
      (car (last formd-connection--delays))))

(defun formd-connection-wanted-delay (problem)
  "Return the seconds that the daemon asks for with the error PROBLEM, or 0."
  (/ (or (formd-get problem "data" "retryAfterMs") 0) 1000.0))

(defun formd-connection--try (connection)
  "Try to connect CONNECTION again, and start a daemon if that is right."
  (setf (formd-connection-timer connection) nil)
  (unless (or (formd-connection-live-p connection)
              (condition-case nil
                  (formd-connection--connect connection)
                (formd-no-daemon nil)))
    (when (and (= 1 (formd-connection-attempts connection))
               (not (formd-connection-starting connection))
               (formd-connection-may-start-p (formd-connection-path connection)))
      (condition-case nil
          (formd-connection--start connection)
        (formd-no-daemon nil)))
    (formd-connection--plan connection)))

(defun formd-connection-retry (connection)
  "Try to connect CONNECTION again at once, unless it is open."
  (when (formd-connection-timer connection)
    (cancel-timer (formd-connection-timer connection)))
  (formd-connection--try connection))

;;;; Messages out

(defun formd-connection-send (connection method params &optional on-result on-error)
  "Send METHOD with PARAMS on CONNECTION as a request and return its id.
ON-RESULT is called with the result, or ON-ERROR with the error, an object
with code, message and data.  Both are called from a process filter.
Signal `formd-no-daemon' if the connection is known to be lost.  If it is lost
later, ON-ERROR gets an error with code 0, as without any answer."
  (unless (formd-connection-process connection)
    (signal 'formd-no-daemon '("there is no connection at the moment")))
  (let ((id (cl-incf (formd-connection-last-id connection))))
    (puthash id (cons (or on-result #'ignore) (or on-error #'ignore))
             (formd-connection-requests connection))
    (formd-connection--write connection (formd-object "jsonrpc" "2.0" "id" id
                                                      "method" method "params" params))
    id))

(defun formd-connection--write (connection message)
  "Write MESSAGE to CONNECTION.
If the daemon has ended, the message is lost with the connection, and the
process's sentinel is called.  Emacs signals this as a plain `error'."
  (let ((line (concat (formd-json-encode message) "\n")))
    (condition-case nil
        (process-send-string (formd-connection-process connection) line)
      (error nil))))

(defun formd-connection-call (connection method params &optional on-result)
  "Send METHOD with PARAMS on CONNECTION, wait, and return the result.
ON-RESULT is called with it before later messages are handled.  Signal
`formd-refused' with the error if the daemon refuses."
  (let* (outcome
         (id (formd-connection-send connection method params
                                    (lambda (result)
                                      (setq outcome (list 'result result))
                                      (when on-result (funcall on-result result)))
                                    (lambda (problem) (setq outcome (list 'error problem)))))
         done)
    (unwind-protect
        (progn
          (formd-connection-await (lambda () outcome) method)
          (setq done t))
      (unless done
        ;; The user quit, or it took too long: the answer is not needed any
        ;; more.
        (remhash id (formd-connection-requests connection))
        (when (formd-connection-live-p connection)
          (formd-connection--write connection
                                   (formd-object "jsonrpc" "2.0" "method" "$/cancelRequest"
                                                 "params" (formd-object "id" id))))))
    (if (eq 'result (car outcome))
        (cadr outcome)
      (signal 'formd-refused (list (formd-get (cadr outcome) "message") (cadr outcome))))))

(defun formd-connection-await (condition what)
  "Wait for the function CONDITION to be true.
WHAT names the expected answer in the error after `formd-timeout' seconds."
  (let ((end (+ (float-time) formd-timeout)))
    (while (not (funcall condition))
      (when (> (float-time) end)
        (signal 'formd-error (list (format "no answer to %s within %s s" what formd-timeout))))
      (accept-process-output nil 0.1))))

;;;; Messages in

(defun formd-connection--received (connection text)
  "TEXT arrived on CONNECTION: handle each whole line of it."
  (if (not (string-search "\n" text))
      (push text (formd-connection-chunks connection))
    (let* ((whole (apply #'concat (nreverse (cons text (formd-connection-chunks connection)))))
           (lines (split-string whole "\n")))
      (setf (formd-connection-chunks connection) (last lines))
      (dolist (line (butlast lines))
        (unless (string-empty-p line)
          (formd-connection--handle connection line))))))

(defun formd-connection--handle (connection line)
  "Handle the message LINE, which arrived on CONNECTION.
An error in a handler is reported, and later messages are still handled."
  (with-demoted-errors "formd: %S"
    (let* ((message (formd-json-parse line))
           (method (formd-get message "method"))
           (id (formd-get message "id"))
           (waiting (and id (not method) (gethash id (formd-connection-requests connection)))))
      (cond (waiting
             (remhash id (formd-connection-requests connection))
             (setf (formd-connection-attempts connection) 0)
             (if (formd-get message "error")
                 (funcall (cdr waiting) (formd-get message "error"))
               (funcall (car waiting) (formd-get message "result"))))
            ((and method (not id))
             (when-let* ((session (gethash (formd-get message "params" "session")
                                          (formd-connection-sessions connection))))
               (funcall session method (formd-get message "params"))))
            ;; Without an id: the daemon could not read a message, such as a
            ;; text of many MiB, or it refuses the connection.
            ((formd-get message "error")
             (setf (formd-connection-retry-after connection)
                   (formd-connection-wanted-delay (formd-get message "error")))
             (message "The daemon refused a message of Emacs: %s %s"
                      (formd-get message "error" "message")
                      (formd-text-of-value (formd-get message "error" "data"))))))))

(provide 'formd-connection)
;;; formd-connection.el ends here
